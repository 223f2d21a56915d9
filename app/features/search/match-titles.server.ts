import Fuse from 'fuse.js';

/** How far a title may be from what was typed: 0 is the same, 1 is anything. */
const THRESHOLD = 0.4;

export type Titled = { title: string; words: string };

/** The things whose title, or the words around it, match the search, the best first. */
export function matchTitles<Thing extends Titled>(things: readonly Thing[], words: string): Thing[] {
  const index = new Fuse(things, {
    keys: [
      { name: 'title', weight: 3 },
      { name: 'words', weight: 1 },
    ],
    threshold: THRESHOLD,
    ignoreLocation: true,
    ignoreFieldNorm: true,
    ignoreDiacritics: true,
    minMatchCharLength: 2,
  });
  // Fuse compares at most 32 characters at a time.
  return index.search(words.slice(0, 32)).map(({ item }) => item);
}
