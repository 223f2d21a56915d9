import lucide from '@iconify-json/lucide/icons.json' with { type: 'json' };
import type { Plugin } from 'vite';

const ADDRESS = '~icons/';
const icons: Record<string, { body: string } | undefined> = lucide.icons;

/** Attributes of the icon itself, which hold for all of its shapes (create-icon.ts). */
const SAID_BY_THE_WHOLE = /^(?:fill="none"|stroke="currentColor"|stroke-(?:linecap|linejoin)="round"|stroke-width="2")$/;

/**
 * Makes `import Check from '~icons/check'` a component that draws the Lucide icon of that name. The set comes as data, one file of 640 KB
 * with every icon in it, of which the build takes those that are imported. An icon that the set does not have ends the build.
 */
export const iconPlugin: Plugin = {
  name: 'quorate:icons',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith(ADDRESS) ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith(`\0${ADDRESS}`)) return undefined;
    const name = id.slice(ADDRESS.length + 1);
    const icon = icons[name];
    if (icon === undefined) this.error(`there is no icon '${name}' in @iconify-json/lucide`);
    return `import { createIcon } from '#app/components/icon/create-icon.ts';\nexport default createIcon(${JSON.stringify(shapesOf(icon.body))});`;
  },
};

/** The shapes of an icon, each as its element's name and attributes. A group says only what the whole icon says. */
function shapesOf(body: string): [string, Record<string, string>][] {
  return [...body.matchAll(/<(\w+)((?: [\w-]+="[^"]*")*)\/>/g)].map(([, element = '', attributes = '']) => [
    element,
    Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)]
        .filter(([attribute]) => !SAID_BY_THE_WHOLE.test(attribute))
        .map(([, attribute = '', value = '']) => [attribute, value]),
    ),
  ]);
}
