import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { root, sourceFiles } from '#tests/architecture/source-files.ts';

type Tree = { [key: string]: string | Tree };
/** Flat texts of one language: `namespace` → key with dots → text. */
export type Texts = Map<string, Map<string, string>>;

export function textsOf(language: string): Texts {
  const folder = join(root, 'locales', language);
  const texts: Texts = new Map();
  if (!existsSync(folder)) return texts;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    texts.set(file.slice(0, -'.json'.length), new Map(flatten(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Tree)));
  }
  return texts;
}

function flatten(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flatten(value, `${prefix}${key}.`),
  );
}

const PLURAL = /_(ordinal_)?(zero|one|two|few|many|other)$/;
/** The key without its plural category. */
export const baseKey = (key: string) => key.replace(PLURAL, '');
export const isPlural = (key: string) => PLURAL.test(key);

/** Names of the places of a text: `{{count}}` gives `count`, and tags of Trans their names. */
export function placesOf(text: string): string[] {
  const values = [...text.matchAll(/\{\{\s*-?\s*([\w.]+)[^}]*\}\}/g)].map(([, name]) => name ?? '');
  const tags = [...text.matchAll(/<(\w+)\/?>/g)].map(([, name]) => `<${name}>`);
  return [...new Set([...values, ...tags])].sort();
}

type AstNode = { type: string; start: number; [key: string]: unknown };
const isNode = (value: unknown): value is AstNode => typeof value === 'object' && value !== null && 'type' in value;

function walk(node: AstNode, visit: (node: AstNode, parents: readonly AstNode[]) => void, parents: readonly AstNode[] = []): void {
  visit(node, parents);
  const inside = [...parents, node];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, inside);
  }
}

/** `explanations`: keys of object literals that look like a stored reason, `{ key: '…', values: … }`. */
export type ScannedFile = {
  path: string;
  strings: Set<string>;
  patterns: RegExp[];
  hardCoded: string[];
  explanations: string[];
};

/** Attributes whose value a person reads or hears. */
const SPOKEN = new Set([
  'title',
  'label',
  'alt',
  'placeholder',
  'caption',
  'hint',
  'description',
  'header',
  'busyLabel',
  'summary',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'aria-placeholder',
  'emptyTitle',
  'labelHeader',
  'pointHeader',
  'valueHeader',
  'term',
  'text',
]);
const HAS_WORDS = /\p{L}{2,}/u;

/** The string literals of every source file, and texts written straight into JSX. */
export function scanSources(): ScannedFile[] {
  return sourceFiles('app')
    .filter(({ path }) => !/\.test\.tsx?$/.test(path))
    .map(({ path, text }) => scan(path, text));
}

export function scan(path: string, text: string): ScannedFile {
  const found: ScannedFile = { path, strings: new Set(), patterns: [], hardCoded: [], explanations: [] };
  const { program } = parseSync(path, text, { lang: path.endsWith('x') ? 'tsx' : 'ts' });
  const line = (node: AstNode) => `${path}:${text.slice(0, node.start).split('\n').length}`;
  walk(program as unknown as AstNode, (node, parents) => {
    if (node.type === 'Literal' && typeof node.value === 'string') {
      found.strings.add(node.value);
      const place = spokenPlace(parents);
      if (place && HAS_WORDS.test(node.value) && !inCode(parents)) found.hardCoded.push(`${line(node)} ${place}="${node.value}"`);
    }
    if (node.type === 'TemplateLiteral') {
      const pattern = keyPattern(node);
      if (pattern !== null) found.patterns.push(pattern);
      const words = (node.quasis as AstNode[]).map((quasi) => (quasi.value as { cooked?: string }).cooked ?? '').join('…');
      const place = spokenPlace(parents);
      if (place && HAS_WORDS.test(words) && !inCode(parents)) found.hardCoded.push(`${line(node)} ${place}="${words}"`);
    }
    if (node.type === 'ObjectExpression') {
      const key = storedReason(node);
      if (key !== null) found.explanations.push(key);
    }
    if (node.type === 'JSXText' && HAS_WORDS.test(String(node.value)) && !inCode(parents))
      found.hardCoded.push(`${line(node)} ${String(node.value).trim()}`);
  });
  return found;
}

const CODE = new Set(['code', 'kbd', 'pre', 'samp']);

/** Code reads the same in every language. */
function inCode(parents: readonly AstNode[]): boolean {
  return parents.some((parent) => {
    if (parent.type !== 'JSXElement') return false;
    const { name } = (parent.openingElement as AstNode).name as { name: unknown };
    return typeof name === 'string' && CODE.has(name);
  });
}

/** `role.${role}` stands for all keys below `role.`: the compiler holds the union behind it to keys that exist. */
function keyPattern(node: AstNode): RegExp | null {
  const parts = (node.quasis as AstNode[]).map((quasi) => (quasi.value as { cooked?: string }).cooked ?? '');
  if (parts.length < 2 || !/^[a-z][\w.:]*[._:]$/i.test(parts[0] ?? '')) return null;
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\w.-]+')}$`);
}

function storedReason(node: AstNode): string | null {
  const properties = (node.properties as AstNode[]).filter((property) => property.type === 'Property');
  const value = (name: string) => properties.find((property) => isNode(property.key) && property.key.name === name)?.value;
  const key = value('key');
  const isReason = properties.length === 2 && value('values') !== undefined && isNode(key) && typeof key.value === 'string';
  return isReason ? String(key.value) : null;
}

/**
 * Where a literal is read or heard: the spoken attribute or property it is the value of, or the text of an element, directly
 * or through expressions that choose between texts or put them together.
 */
function spokenPlace(parents: readonly AstNode[]): string | null {
  const chain = parents.toReversed();
  for (const [index, parent] of chain.entries()) {
    if (parent.type === 'JSXAttribute') {
      const { name } = parent.name as { name: unknown };
      return typeof name === 'string' && SPOKEN.has(name) ? name : null;
    }
    if (parent.type === 'Property') {
      const { name } = parent.key as { name?: unknown };
      const drawn = chain.slice(index).some(({ type }) => type.startsWith('JSX'));
      return drawn && typeof name === 'string' && SPOKEN.has(name) ? name : null;
    }
    if (parent.type === 'JSXElement' || parent.type === 'JSXFragment') return 'text';
    // What is compared is not what is said.
    const child = chain[index - 1];
    if (parent.type === 'ConditionalExpression' && child !== undefined && parent.test === child) return null;
    if (!PASSED_ON.has(parent.type) || (parent.type === 'BinaryExpression' && parent.operator !== '+')) return null;
  }
  return null;
}

const PASSED_ON = new Set(['JSXExpressionContainer', 'ConditionalExpression', 'LogicalExpression', 'TemplateLiteral', 'BinaryExpression']);
