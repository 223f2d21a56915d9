import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import manifest from './package.json' with { type: 'json' };

const locales = globSync('locales/*/*.json', { cwd: import.meta.dirname })
  .map((path) => path.replaceAll('\\', '/'))
  .sort()
  .map((path) => ({ path, text: JSON.stringify(JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))) }));
const textsVersion = createHash('sha256').update(JSON.stringify(locales)).digest('hex').slice(0, 12);

/** What `app/root.tsx` and the bars of public pages and of the app area bring. */
const EVERY_PAGE = [
  ...[
    'accessibility-provider.tsx',
    'accessibility-storage.ts',
    'after-paint.ts',
    'announcements.ts',
    'error-page.tsx',
    'flash-notice.tsx',
    'font-preload.tsx',
  ],
  ...[
    'hydrated.ts',
    'kept-frame.ts',
    'language-storage.ts',
    'language-switch.tsx',
    'late-scripts.tsx',
    'looks-provider.tsx',
    'mark.tsx',
    'menu.tsx',
    'named.ts',
    'navigation-progress.tsx',
    'notice.tsx',
  ],
  ...[
    'preference-cookie.ts',
    'preference-forms.tsx',
    'reader.tsx',
    'route-focus.tsx',
    'runtime-text.ts',
    'toast/toast-provider.tsx',
    'ui/button.tsx',
    'whole-bar.tsx',
  ],
]
  .map((path) => `/app/components/${path}`)
  .concat('/app/domain/appearance.ts', '/app/domain/languages.ts', '/app/domain/turned-text.ts', '/app/features/auth/kept-form.ts')
  .concat(
    ...['languages', 'menu', 'sun-moon', 'chevron-right', 'triangle-exclamation-point'].map(
      (icon) => `/lucide-react/dist/esm/icons/${icon}.mjs`,
    ),
  );

/** Texts of pages: files of their own for browsers, and a small reader of them in the place of react-i18next (decisions 6 and 7). */
const pageTexts: Plugin = {
  name: 'quorate:page-texts',
  enforce: 'pre',
  resolveId(id) {
    return id === 'react-i18next' ? fileURLToPath(new URL('app/platform/i18n/react-texts.ts', import.meta.url)) : undefined;
  },
  generateBundle() {
    if (this.environment.name !== 'client') return;
    for (const { path, text } of locales)
      this.emitFile({ type: 'asset', fileName: path.replace('locales/', 'assets/texts/'), source: text });
  },
};

/**
 * What production installs (`dependencies`). All other libraries go into the server's own build: each process and thread would find and
 * compile them file by file, 2,000 of them at a start. A third of its processor time, and 25 MB.
 */
const INSTALLED = Object.keys(manifest.dependencies);

export default defineConfig(({ command }) => ({
  plugins: [pageTexts, tailwindcss(), reactRouter()],
  environments: {
    client: {
      define: { TEXTS_VERSION: JSON.stringify(textsVersion) },
      build: {
        rolldownOptions: {
          output: {
            // Zod tries whether code may be made of text when the first schema is built, before any module of ours could tell it not to; our
            // content security policy refuses it, and each page would report a violation.
            // What every page needs comes in two files: a phone pays for each one by a journey of its own.
            codeSplitting: {
              groups: [
                { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/, priority: 2 },
                { name: 'page', test: (id) => EVERY_PAGE.some((path) => id.endsWith(path)), priority: 1 },
              ],
            },
            banner: ({ moduleIds }) =>
              moduleIds.some((id) => id.endsWith('/zod/v4/core/core.js')) ? 'globalThis.__zod_globalConfig = { jitless: true };' : '',
          },
        },
      },
    },
    ssr: {
      // In development Vite asks plugins only for what is not external: without its name the server would draw keys in the place of texts.
      resolve: command === 'build' ? { noExternal: true, external: INSTALLED } : { noExternal: ['react-i18next'] },
      build: {
        rolldownOptions: {
          // One build for all processes and threads, so that they share every module.
          input: { server: './app/server.ts', worker: './app/worker.ts', 'auth-thread': './app/platform/embedded/auth-thread.ts' },
          // Flat, so that a thread's file stands beside whichever chunk starts it.
          output: { chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
  },
}));
