import mono from '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2?url';
import latin from '@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-400-normal.woff2?url';
import latinBold from '@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-600-normal.woff2?url';
import arabic from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff2?url';
import arabicBold from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-600-normal.woff2?url';
import hebrew from '@fontsource/ibm-plex-sans-hebrew/files/ibm-plex-sans-hebrew-hebrew-400-normal.woff2?url';
import hebrewBold from '@fontsource/ibm-plex-sans-hebrew/files/ibm-plex-sans-hebrew-hebrew-600-normal.woff2?url';
import type { Language } from '#app/domain/web/languages.ts';

/**
 * The faces of text and headings in the page's own script, asked for before the style sheet has been read. `code`: the page has code too.
 * Each face that comes later lays the whole page out once more.
 */
export function FontPreload({ language, code }: { language: Language; code: boolean }) {
  // Figures, names and protocols are Latin in every language.
  const own = language === 'ar' ? [arabic, arabicBold] : language === 'he' ? [hebrew, hebrewBold] : [];
  const faces = [...own, latin, latinBold, ...(code ? [mono] : [])];
  return faces.map((href) => <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />);
}
