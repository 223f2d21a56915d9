import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { iconPlugin } from './app/components/icon/icon-plugin.ts';
import { importedBy, type ModuleGraph, type Page, planParts } from './app/platform/page-parts.ts';
import { verifierPlugin } from './app/verify/verifier-files.ts';
import manifest from './package.json' with { type: 'json' };

const locales = globSync('locales/*/*.json', { cwd: import.meta.dirname })
  .map((path) => path.replaceAll('\\', '/'))
  .sort()
  .map((path) => ({ path, text: JSON.stringify(JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))) }));
const textsVersion = createHash('sha256').update(JSON.stringify(locales)).digest('hex').slice(0, 12);

/** Named by React Router for each route that a browser loads. */
const ROUTE = '?__react-router-build-client-route';
const REACT = /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/;

/** Routes whose pages come with all that a route around them needs. */
const FRAMES = [
  [/\/routes\/dashboard\//, 'app/routes/dashboard/layout.tsx'],
  [/\/routes\/dashboard\/approvals\/(?:inbox|approval)\.tsx/, 'app/routes/dashboard/approvals/desk.tsx'],
] as const;

/** More than are planned, since a bundler asks for groups before it knows a module. */
const MOST_PARTS = 100;

/**
 * The files of what pages share, read from the module graph: `page` holds all that every page imports, and the parts are planned from what
 * is left. Modules of one page, or of what is loaded when it is first used, stay in files of their own.
 */
function sharedFiles() {
  const present = new Set<string>();
  let names: Map<string, string> | undefined;
  const named = (wanted: string) => ({
    name: (id: string, graph: ModuleGraph) => {
      names ??= nameFiles(present, graph);
      return names.get(id) === wanted ? wanted : null;
    },
  });
  return [
    // Asked for every module before the first name is: what the build has left out by then is in no file.
    { ...named('page'), test: (id: string) => present.add(id).has(id), priority: MOST_PARTS + 1 },
    ...Array.from({ length: MOST_PARTS }, (_, index) => ({ ...named(`part-${index + 1}`), priority: MOST_PARTS - index })),
  ];
}

function nameFiles(present: ReadonlySet<string>, graph: ModuleGraph): Map<string, string> {
  const everywhere = neededOnEveryPage(graph);
  const beginnings = ['app/root.tsx', 'app/entry.client.tsx'].map(moduleId);
  const isShared = (id: string) =>
    present.has(id) && !everywhere.has(id) && !beginnings.includes(id) && !id.includes('.css?') && !id.endsWith(ROUTE) && !REACT.test(id);
  const frames = FRAMES.map(([of, path]) => [of, importedBy(moduleId(path) + ROUTE, graph)] as const);
  const pages = [...present]
    .filter((id) => id.endsWith(ROUTE) && !id.includes('/app/root.tsx') && !id.includes('/routes/dev/'))
    .sort()
    .map((id): Page => {
      const isFramed = id.includes('/routes/dashboard/');
      const around = frames.flatMap(([of, modules]) => (of.test(id) ? [...modules] : []));
      const needs = [...importedBy(id, graph), ...around].filter(isShared);
      // Whoever signs in goes on to the app.
      const isPublic = !isFramed && !id.includes('/routes/auth/');
      return { id, isPublic, needs: new Set(needs) };
    })
    .filter(({ needs }) => needs.size > 0);
  // What the start page needs of them nearly every other page does too.
  const start = pages.find(({ id }) => id.startsWith(moduleId('app/routes/public/home.tsx')));
  const parts = planParts(pages, graph).flatMap((ids, index) => {
    const name = ids.some((id) => start?.needs.has(id)) ? 'page' : `part-${index + 1}`;
    return ids.map((id) => [id, name] as const);
  });
  return new Map([...parts, ...[...everywhere].map((id) => [id, 'page'] as const)]);
}

/**
 * All that the document and the browser's entry need, and all that the frame of public pages shares with the app area's or with that of a
 * page with one task. The document and the entry stay files of their own, as the router wants them.
 */
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

/** The name of the file with React, and with the functions of the bundler. */
const WITH_REACT = 'react-base';

/**
 * The functions by which the bundler's files use CommonJS. It gives them a file of 400 bytes, a request on each page: here they stand with
 * React's, whose name already depends on theirs.
 */
const bundlerWithReact: Plugin = {
  name: 'quorate:bundler-with-react',
  generateBundle: {
    order: 'pre',
    handler(_options, bundle) {
      if (this.environment.name !== 'client') return;
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const [own, react] = ['rolldown-runtime', WITH_REACT].map((name) => chunks.find((chunk) => chunk.name === name));
      const [, code, exported] = /^([\s\S]*)export\{([^}]*)\};?\s*$/.exec(own?.code ?? '') ?? [];
      if (own === undefined || react === undefined || code === undefined || exported === undefined)
        return this.error('the functions of the bundler are not where they were');
      // `local as name`, as in `c as n,o as t`.
      const names = exported.split(',').map((one) => one.split(' as ').map((name) => name.trim()) as [local: string, name: string]);
      const file = own.fileName.slice(own.fileName.lastIndexOf('/') + 1);
      const inReact = (name: string) => `bundler_${name}`;
      for (const chunk of chunks) {
        if (chunk === own || !chunk.imports.includes(own.fileName)) continue;
        const used = new RegExp(`import\\{([^}]*)\\}from["']\\./${file.replaceAll('.', '\\.')}["'];?`);
        const [statement, imported = ''] = used.exec(chunk.code) ?? [];
        if (statement === undefined) this.error(`${chunk.fileName} does not import what it should`);
        const wanted = imported.split(',').map((one) => one.trim().split(' as '));
        const instead =
          chunk === react
            ? `${wanted.map(([name = '', local = name]) => `var ${local}=${inReact(name)};`).join('')}`
            : `import{${wanted.map(([name = '', local = name]) => `${inReact(name)} as ${local}`).join()}}from"./${react.fileName.slice(react.fileName.lastIndexOf('/') + 1)}";`;
        chunk.code = chunk.code.replace(statement, () => instead);
        chunk.imports = [...new Set(chunk.imports.map((name) => (name === own.fileName ? react.fileName : name)))].filter(
          (name) => name !== chunk.fileName,
        );
      }
      const all = names.map(([, name]) => inReact(name));
      react.code = `var{${names.map(([, name]) => `${name}:${inReact(name)}`).join()}}=(()=>{${code};return{${names.map(([local, name]) => `${name}:${local}`).join()}}})();${react.code};export{${all.join()}};`;
      delete bundle[own.fileName];
    },
  },
};

/**
 * What production installs (`dependencies`). All other libraries go into the server's own build: each process and thread would find and
 * compile them file by file, 2,000 of them at a start. A third of its processor time, and 25 MB.
 */
const INSTALLED = Object.keys(manifest.dependencies);

export default defineConfig(({ command }) => ({
  plugins: [pageTexts, iconPlugin, tailwindcss(), reactRouter(), bundlerWithReact, verifierPlugin],
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
              groups: [{ name: WITH_REACT, test: REACT, priority: MOST_PARTS + 2 }, ...sharedFiles()],
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
            'replay-process': './app/engine/policy/replay/replay-process.ts',
          },
          // Flat, so that a thread's file stands beside whichever chunk starts it.
          output: { chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
  },
}));
