import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

export type Import = { specifier: string; typeOnly: boolean };
export type SourceFile = { path: string; text: string; imports: Import[] };

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Every TypeScript file below a folder of the repository, with what it imports. Paths use '/'. */
export function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll(sep, '/'),
    )
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, imports: importsOf(text) };
    });
}

export function importsOf(text: string): Import[] {
  return [...withoutComments(text).matchAll(IMPORT)].map(([, typeOnly, from, dynamic]) => ({
    specifier: from ?? dynamic ?? '',
    typeOnly: typeOnly !== undefined,
  }));
}

/** Comments may name whatever they like. Strings are kept: a specifier is one. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/[^\n]*/g, '$1');
}

/** `app/…` path of an import of ours, or null for a package. */
export function ownPath(file: SourceFile, specifier: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(file.path), specifier));
  return null;
}

/** Name of the package of an import: `@scope/name` or `name`; node builtins keep their prefix. */
export function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
