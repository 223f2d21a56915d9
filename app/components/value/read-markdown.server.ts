import MarkdownIt, { type Token } from 'markdown-it';
import type { MarkdownNode, MarkdownTag } from '#app/components/value/markdown-node.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';

/** Longer texts stay plain: reading one of this length takes 50 ms. */
export const MARKDOWN_CHARACTERS = 64_000;

/** A text is read as Markdown where it is written as that, and not merely over several lines. */
const SIGNS = [
  /^#{1,6} \S/m,
  /^ {0,3}(?:[-*+]|\d{1,3}[.)]) \S[^\n]*\n(?:\s*\n)* {0,3}(?:[-*+]|\d{1,3}[.)]) \S/m,
  /(?:^|\s)\*\*\S[^*\n]*\*\*(?=\W|$)/m,
  /^```/m,
  /\[[^\]\n]+\]\((?:https?:\/\/|mailto:)[^)\s]+\)/,
  /^\|? ?:?-{3,}:? ?\|/m,
];

export function isMarkdown(text: string): boolean {
  return text.length <= MARKDOWN_CHARACTERS && SIGNS.some((sign) => sign.test(text));
}

// Raw HTML stays text; addresses of other kinds, and those without a scheme, stay text as well.
const reader = new MarkdownIt({ html: false, linkify: false, typographer: false });
reader.validateLink = (address) => /^(?:https?:\/\/|mailto:)/i.test(address.trim());

const TAGS: Readonly<Record<string, MarkdownTag>> = {
  ...{ p: 'p', h1: 'h', h2: 'h', h3: 'h', h4: 'h', h5: 'h', h6: 'h', ul: 'ul', ol: 'ol', li: 'li', blockquote: 'blockquote' },
  ...{ em: 'em', strong: 'strong', s: 's', a: 'a', table: 'table', thead: 'thead', tbody: 'tbody', tr: 'tr', th: 'th', td: 'td' },
};

/** The elements of a text in Markdown. They hold no HTML of the text: whoever draws them makes each element anew. */
export function readMarkdown(text: string): MarkdownNode[] {
  return nested(reader.parse(text, {}));
}

type Open = { tag: MarkdownTag; href?: string; start?: number; children: MarkdownNode[] };

function nested(tokens: readonly Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: Open[] = [];
  const put = (...nodes: MarkdownNode[]) => (open.at(-1)?.children ?? root).push(...nodes);
  for (const token of tokens) {
    const tag = TAGS[token.tag];
    if (token.nesting === 1 && tag !== undefined) open.push({ tag, ...attributes(token), children: [] });
    else if (token.nesting === -1 && tag !== undefined) {
      const closed = open.pop();
      // A paragraph of a tight list is only its text.
      if (closed !== undefined) put(...(token.hidden ? closed.children : [closed]));
    } else put(...leaf(token));
  }
  return root;
}

function leaf(token: Token): MarkdownNode[] {
  switch (token.type) {
    case 'inline':
      return nested(token.children ?? []);
    case 'fence':
    case 'code_block':
      return [{ tag: 'pre', children: [revealedText(token.content)] }];
    case 'code_inline':
      return [{ tag: 'code', children: [revealedText(token.content)] }];
    case 'image': {
      const href = attributes(token).href;
      return [{ tag: 'image', ...(href === undefined ? {} : { href }), children: [revealedText(token.content)] }];
    }
    case 'hardbreak':
      return [{ tag: 'br' }];
    case 'softbreak':
      return ['\n'];
    case 'hr':
      return [{ tag: 'hr' }];
    default:
      return token.content === '' ? [] : [revealedText(token.content)];
  }
}

function attributes(token: Token): { href?: string; start?: number } {
  const href = token.attrGet('href') ?? token.attrGet('src');
  const start = Number(token.attrGet('start') ?? '1');
  return { ...(href === null ? {} : { href: String(href) }), ...(start === 1 || Number.isNaN(start) ? {} : { start }) };
}
