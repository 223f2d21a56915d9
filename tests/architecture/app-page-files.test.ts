import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownPath, root, type SourceFile, sourceFiles } from '#tests/architecture/source-files.ts';

// Needs a build (npm test makes one before).
const assets = join(root, 'build', 'client', 'assets');
/** Beside its scripts, a page asks for the document, styles, two or three fonts, texts, routes and notices: seven or eight of 20 requests (tests/e2e/speed/requests.e2e.ts). */
const MOST_SCRIPTS = { opening: 10, any: 12, allParts: 16 };
/** Shows every part there is. */
const ALL_PARTS = 'routes/dashboard/help/design';
const OPENING = ['home', 'workflows/list', 'agents/list', 'plugins/list', 'llm-hub/list', 'marketplace/list', 'approvals/inbox'];

type Route = { id: string; parentId?: string; module: string; imports?: string[] };
type Manifest = { entry: { module: string; imports: string[] }; routes: Record<string, Route> };

/** Every form of ours is made by it, and it alone needs Zod in a browser. */
const FORM = 'app/components/form/use-app-form.ts';

/** The scripts that the address of each app page brings. */
function scriptsByRoute(): Map<string, ReadonlySet<string>> {
  const file = readdirSync(assets).find((name) => /^manifest-.*\.js$/.test(name)) ?? expect.fail('no manifest');
  const text = readFileSync(join(assets, file), 'utf8');
  const manifest: Manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  const scriptsOf = (route: Route | undefined): string[] =>
    route === undefined ? [] : [route.module, ...(route.imports ?? []), ...scriptsOf(manifest.routes[route.parentId ?? ''])];
  return new Map(
    Object.values(manifest.routes)
      .filter(({ id }) => id.startsWith('routes/dashboard/'))
      .map((route) => [route.id, new Set([manifest.entry.module, ...manifest.entry.imports, ...scriptsOf(route)])]),
  );
}

/** Whether a browser gets this module with the one at `path`. */
function reaches(path: string, wanted: string, files: ReadonlyMap<string, SourceFile>): boolean {
  const found = new Set<string>();
  const next = [path];
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    if (found.has(one) || /\.server\.tsx?$/.test(one)) continue;
    found.add(one);
    const file = files.get(one);
    for (const { specifier, typeOnly } of file?.imports ?? []) if (file && !typeOnly) next.push(ownPath(file, specifier) ?? specifier);
  }
  return found.has(wanted);
}

describe.runIf(existsSync(assets))('the scripts of app pages', () => {
  const scripts = existsSync(assets) ? scriptsByRoute() : new Map<string, ReadonlySet<string>>();

  it('come in few files', () => {
    expect(scripts.size).toBeGreaterThan(100);
    const most = (id: string) => (id === ALL_PARTS ? MOST_SCRIPTS.allParts : MOST_SCRIPTS.any);
    expect([...scripts].map(([id, { size }]) => [id, size] as const).filter(([id, size]) => size > most(id))).toEqual([]);
  });

  it('come in fewer on the pages that areas open with', () => {
    for (const name of OPENING) expect(scripts.get(`routes/dashboard/${name}`)?.size, name).toBeLessThanOrEqual(MOST_SCRIPTS.opening);
  });

  it('validate where there is a form, and nowhere else', () => {
    const files = new Map(sourceFiles('app').map((file) => [file.path, file]));
    const validates = (file: string) => readFileSync(join(root, 'build', 'client', file), 'utf8').includes('ZodError');
    const validating = new Set([...new Set([...scripts.values()].flatMap((of) => [...of]))].filter(validates));
    const withValidation = [...scripts].filter(([, of]) => [...of].some((file) => validating.has(file))).map(([id]) => id);
    expect(withValidation).toContain('routes/dashboard/account/profile');
    expect(withValidation.filter((id) => !reaches(`app/${id}.tsx`, FORM, files))).toEqual([]);
  });
});
