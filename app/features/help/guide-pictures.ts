import type { Guide } from '#app/features/help/guides.ts';

/** Pixels of a guide's picture: taken one and a half times as fine as it is shown. */
export const PICTURE = { width: 720, height: 540, density: 1.5 } as const;

/** The address of a guide's picture in a language, made from the product by `node tests/recording/guides.ts`. */
export function guidePicture({ slug }: Pick<Guide, 'slug'>, language: string): string {
  return `/guides/${slug}.${language}.webp`;
}
