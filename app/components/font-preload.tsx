import latin from '@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-400-normal.woff2?url';
import arabic from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff2?url';
import hebrew from '@fontsource/ibm-plex-sans-hebrew/files/ibm-plex-sans-hebrew-hebrew-400-normal.woff2?url';
import type { Language } from '#app/domain/languages.ts';

/** The text face of the page's own script, asked for before the style sheet has been read. */
export function FontPreload({ language }: { language: Language }) {
  const href = language === 'ar' ? arabic : language === 'he' ? hebrew : latin;
  return <link rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />;
}
