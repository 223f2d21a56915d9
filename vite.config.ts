import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { iconPlugin } from './app/components/icon/icon-plugin.ts';
import manifest from './package.json' with { type: 'json' };

const locales = globSync('locales/*/*.json', { cwd: import.meta.dirname })
  .map((path) => path.replaceAll('\\', '/'))
  .sort()
  .map((path) => ({ path, text: JSON.stringify(JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))) }));
const textsVersion = createHash('sha256').update(JSON.stringify(locales)).digest('hex').slice(0, 12);

type ModuleGraph = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null };

/**
 * Names the chunk of all that every page imports, read from the module graph: all that the document and the browser's entry need, and all
 * that the frame of public pages shares with the app area's or with that of a page with one task. The document and the entry stay chunks of
 * their own, as the router wants them.
 */
function pageChunk(): (id: string, graph: ModuleGraph) => string | null {
  let needed: Set<string> | undefined;
  return (id, graph) => {
    needed ??= neededOnEveryPage(graph);
    return needed.has(id) ? 'page' : null;
  };
}

function neededOnEveryPage(graph: ModuleGraph): Set<string> {
  const beginnings = ['app/root.tsx', 'app/entry.client.tsx'].map(moduleId);
  const needed = new Set(beginnings.flatMap((start) => [...importedBy(start, graph)]));
  const otherFrames = ['app/features/shell/app-shell.tsx', 'app/components/page/task-page.tsx'].map((path) =>
    importedBy(moduleId(path), graph),
  );
  for (const id of importedBy(moduleId('app/features/public/frame/public-frame.tsx'), graph))
    if (otherFrames.some((frame) => frame.has(id))) needed.add(id);
  for (const id of needed) if (beginnings.includes(id) || id.includes('.css?')) needed.delete(id);
  return needed;
}

function importedBy(start: string, graph: ModuleGraph): Set<string> {
  const found = new Set<string>();
  const next = [start];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    next.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

const moduleId = (path: string) => fileURLToPath(new URL(path, import.meta.url)).replaceAll('\\', '/');

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
  plugins: [pageTexts, iconPlugin, tailwindcss(), reactRouter()],
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
                { name: pageChunk(), priority: 1 },
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
          input: {
            server: './app/server.ts',
            worker: './app/worker.ts',
            'auth-thread': './app/platform/embedded/auth-thread.ts',
            'document-process': './app/engine/documents/reading/document-process.ts',
          },
          // Flat, so that a thread's file stands beside whichever chunk starts it.
          output: { chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
  },
}));
