/**
 * Which modules of the app's pages come in one file. A bundler alone makes a file for each set of pages that share something: fifty a page, and
 * each costs a request. Here files of pages that mostly go together become one, as long as no page loads much that it does not need.
 */

export type ModuleGraph = { getModuleInfo: (id: string) => { code: string | null; importedIds: readonly string[] } | null };

/** Modules that are loaded together: `on` holds a 1 for each page that needs one of them. */
type Part = { ids: string[]; imports: string[]; on: Uint8Array; bytes: number };
export type Page = { id: string; isPublic: boolean; needs: ReadonlySet<string> };

/** Compressed bytes of a byte of source, as measured over all files. */
const COMPRESSION = 0.18;
/** Overhead of a file of its own: imports and exports, a compression that starts anew, headers. */
const FILE_BYTES = 700;
/** Bytes that a page may load without need, beyond those savings. Public pages get fewer: their readers come once, with an empty cache. */
const VAIN_BYTES = { app: 6_500, public: 4_200 };
/** So few do not count. */
const NEGLIGIBLE_BYTES = 600;
/** Bytes that saving one request is worth to a page, for each file beyond the first few. */
const REQUEST_BYTES = 8_000;
const FEW_FILES = 4;
/** Beyond so many, a page of the app loads more that it does not need rather than another file. */
const MANY = { files: 5, requestBytes: 60_000, vainBytes: 30_000 };
/**
 * More than these hardly a page of the app loads, though others load more for it, and public ones a little: with its own scripts, styles,
 * fonts and data it comes to 20 requests.
 */
const MOST = { files: 5, vainBytes: 48_000, publicVainBytes: 10_000 };
/** Modules that so many of the app's pages need are one part to begin with, if no public page needs them. */
const MOST_PAGES = 0.85;

/** A module and all that it imports, and they import. */
export function importedBy(start: string, graph: ModuleGraph): Set<string> {
  const found = new Set<string>();
  const next = [start];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    next.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** The parts by their modules, each before those that import from it: a bundler that takes what a file imports along finds it taken. */
export function planParts(pages: readonly Page[], graph: ModuleGraph): string[][] {
  let parts = partsBySharing(pages, graph);
  const loaded = () => pages.map((_, page) => parts.filter(({ on }) => on[page] === 1));
  const size = (some: readonly Part[]) => some.reduce((sum, { bytes }) => sum + bytes, 0);
  const first = loaded().map((some) => ({ files: some.length, bytes: size(some) }));
  const room = (vain: number, publicVain: number) => {
    const now = loaded();
    return pages.map(({ isPublic }, page) => {
      const { files = 0, bytes = 0 } = first[page] ?? {};
      const some = now[page] ?? [];
      const left = (isPublic ? publicVain : vain) + FILE_BYTES * (files - some.length) - (size(some) - bytes);
      return Math.max(NEGLIGIBLE_BYTES, left);
    });
  };
  const join = (vain: number, worthOf: (files: number, page: Page) => number, publicVain = VAIN_BYTES.public) => {
    for (;;) {
      const worth = loaded().map(({ length }, index) => worthOf(length, pages[index] as Page));
      const best = bestPair(withImported(parts), worth, room(vain, publicVain));
      if (best === null) return;
      parts = joined(parts, best);
    }
  };
  join(VAIN_BYTES.app, (files) => REQUEST_BYTES * Math.max(0, files - FEW_FILES));
  const beyond =
    (most: number) =>
    (files: number, { isPublic }: Page) =>
      !isPublic && files > most ? MANY.requestBytes : 0;
  join(MANY.vainBytes, beyond(MANY.files));
  join(MOST.vainBytes, beyond(MOST.files), MOST.publicVainBytes);
  return importedFirst(parts);
}

/** Modules that exactly the same pages need are one part to begin with, and so are those that most need. Those of a single page stay in its own file. */
function partsBySharing(pages: readonly Page[], graph: ModuleGraph): Part[] {
  const parts = new Map<string, Part>();
  const appPages = pages.filter(({ isPublic }) => !isPublic).length;
  for (const id of new Set(pages.flatMap(({ needs }) => [...needs]))) {
    const on = Uint8Array.from(pages, ({ needs }) => (needs.has(id) ? 1 : 0));
    const ofApp = pages.some(({ isPublic }, page) => !isPublic && on[page] === 1);
    const count = on.reduce((sum, one) => sum + one, 0);
    if (!ofApp || count < 2) continue;
    const onMost = count >= MOST_PAGES * appPages && !pages.some(({ isPublic }, page) => isPublic && on[page] === 1);
    const key = onMost ? 'most' : on.join();
    const part = parts.get(key) ?? { ids: [], imports: [], on, bytes: 0 };
    part.ids.push(id);
    part.imports.push(...importedBy(id, graph));
    part.bytes += (graph.getModuleInfo(id)?.code?.length ?? 0) * COMPRESSION;
    part.on = part.on.map((is, page) => is | (on[page] ?? 0));
    parts.set(key, part);
  }
  return [...parts.values()];
}

type Reaching = { part: Part; below: ReadonlySet<Part> };

/** Each part with all that loading it brings. */
function withImported(parts: readonly Part[]): Reaching[] {
  const of = new Map(parts.flatMap((part) => part.ids.map((id) => [id, part] as const)));
  const done = new Map<Part, Set<Part>>();
  const below = (part: Part): Set<Part> => {
    const known = done.get(part);
    if (known !== undefined) return known;
    const found = new Set<Part>();
    done.set(part, found);
    for (const imported of new Set(part.imports.flatMap((id) => of.get(id) ?? [])))
      if (imported !== part) for (const one of [imported, ...below(imported)]) found.add(one);
    return found;
  };
  return parts.map((part) => ({ part, below: below(part) }));
}

/** The two parts whose union is worth most, or null where none is worth what pages would load in vain. */
function bestPair(parts: readonly Reaching[], worth: readonly number[], room: readonly number[]): [Reaching, Reaching] | null {
  let best: [Reaching, Reaching] | null = null;
  let most = 0;
  for (const [index, one] of parts.entries()) {
    for (const other of parts.slice(index + 1)) {
      const gain = gainOf(one, other, worth, room);
      if (gain > most && !closesCircle(one, other, parts)) [best, most] = [[one, other], gain];
    }
  }
  return best;
}

function gainOf(one: Reaching, other: Reaching, worth: readonly number[], room: readonly number[]): number {
  let gain = 0;
  for (let page = 0; page < worth.length; page += 1) {
    const hasOne = one.part.on[page] === 1;
    if (hasOne === (other.part.on[page] === 1)) {
      if (hasOne) gain += worth[page] ?? 0;
      continue;
    }
    const { part, below } = hasOne ? other : one;
    let vain = part.bytes;
    for (const imported of below) if (imported.on[page] === 0) vain += imported.bytes;
    if (vain > (room[page] ?? 0)) return 0;
    gain -= vain;
  }
  return gain;
}

/** Whether one of the two imports from the other by way of a third, which would then import from its own importer. */
function closesCircle(one: Reaching, other: Reaching, parts: readonly Reaching[]): boolean {
  return parts.some(
    ({ part, below }) =>
      part !== one.part &&
      part !== other.part &&
      ((one.below.has(part) && below.has(other.part)) || (other.below.has(part) && below.has(one.part))),
  );
}

/** With the two as one. Pages that load it load all that either imports. */
function joined(parts: readonly Part[], [one, other]: [Reaching, Reaching]): Part[] {
  const on = one.part.on.map((is, page) => is | (other.part.on[page] ?? 0));
  const both: Part = {
    ids: [...one.part.ids, ...other.part.ids],
    imports: [...one.part.imports, ...other.part.imports],
    on,
    bytes: one.part.bytes + other.part.bytes,
  };
  const rest = parts.filter((part) => part !== one.part && part !== other.part);
  for (const part of rest) if (one.below.has(part) || other.below.has(part)) part.on = part.on.map((is, page) => is | (on[page] ?? 0));
  return [both, ...rest];
}

/** A part has all those below it before it, which have fewer below them. */
const importedFirst = (parts: readonly Part[]) =>
  withImported(parts)
    .toSorted((one, other) => one.below.size - other.below.size)
    .map(({ part }) => part.ids);
