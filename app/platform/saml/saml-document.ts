import { DOMParser } from '@xmldom/xmldom';

export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const DECLARATION = /^\uFEFF?\s*<\?xml\s[^?<]*\?>/;
/** No answer and no metadata comes near it; recursive readers would run out of stack far beyond. */
const DEEPEST = 60;

/**
 * The root of a document that no parser can read in two ways: without a document type, and so without entities; and, where `bare`, without
 * comments, processing instructions and CDATA, which canonical XML leaves out or writes differently from what was signed.
 * @throws Error with a word on what is wrong
 */
export function parseSafely(text: string, { bare }: { bare: boolean }): Element {
  const body = text.replace(DECLARATION, '');
  // In XML a `<` stands nowhere but at the beginning of markup.
  if (bare ? /<[!?]/.test(body) : /<!(?!--|\[CDATA\[)/.test(body)) throw new Error('a document type, a comment or an instruction');
  const fail = (message: string) => {
    throw new Error(`not XML: ${message.slice(0, 80)}`);
  };
  const document = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } }).parseFromString(body, 'text/xml');
  const root: Element | null = document?.documentElement ?? null;
  if (root === null) throw new Error('no element');
  if (depthOf(root) > DEEPEST) throw new Error('too deep');
  return root;
}

/** Elements below this one, without recursion. */
export function* descendants(root: Element): Generator<Element> {
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const child of childrenOf(next)) {
      yield child;
      waiting.push(child);
    }
  }
}

function depthOf(root: Element): number {
  let level = [root];
  let depth = 0;
  while (level.length > 0 && depth <= DEEPEST) {
    level = level.flatMap((one) => childrenOf(one));
    depth += 1;
  }
  return depth;
}

const ELEMENT_NODE = 1;

export function childrenOf(parent: Element, namespace?: string, name?: string): Element[] {
  return Array.from(parent.childNodes).filter(
    (node): node is Element =>
      node.nodeType === ELEMENT_NODE && (name === undefined || (node.nodeName.replace(/^.*:/, '') === name && isOf(node, namespace))),
  );
}

const isOf = (node: ChildNode, namespace: string | undefined) => 'namespaceURI' in node && node.namespaceURI === namespace;

/** The one child of this name; null where there is none. @throws Error where there are several */
export function onlyChild(parent: Element, namespace: string, name: string): Element | null {
  const found = childrenOf(parent, namespace, name);
  if (found.length > 1) throw new Error(`several ${name}`);
  return found[0] ?? null;
}

export const textOf = (element: Element | null): string | null => element?.textContent?.trim() ?? null;

/** An attribute, or null: the library answers an empty text for one that is not there. */
export const attributeOf = (element: Element | null, name: string): string | null =>
  element?.hasAttribute(name) === true ? element.getAttribute(name) : null;

/** An `xs:dateTime` in milliseconds since 1970; null where it is none. */
export function timeOf(text: string | null): number | null {
  const at = text === null || !/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
