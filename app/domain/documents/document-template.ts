/** A column of a table: the key of a row's member, and the words above it. */
export type Column = { key: string; header: string };

/** The columns that lines name, as `key` or `key = Header`. */
export function columnsOf(text: string): Column[] {
  return text.split('\n').flatMap((line) => {
    const at = line.indexOf('=');
    const key = (at === -1 ? line : line.slice(0, at)).trim();
    const header = at === -1 ? '' : line.slice(at + 1).trim();
    return key === '' ? [] : [{ key, header: header === '' ? key : header }];
  });
}

/** A part of a template: a text as it stands, or an expression whose value stands there. */
export type TemplatePart = { text: string } | { expression: string };

/** One block of a template. `alone`: the expression is all of it, so that a list can be a table. */
export type TemplateBlock =
  | { kind: 'heading'; level: 1 | 2 | 3; parts: TemplatePart[] }
  | { kind: 'item' | 'paragraph'; parts: TemplatePart[] }
  | { kind: 'alone'; expression: string };

/** The parts of a text; null: braces are opened and not closed. */
export function partsOf(text: string): TemplatePart[] | null {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', from)) {
    const end = text.indexOf('}}', at);
    if (end === -1) return null;
    // `}}}`: the expression ends with a brace of its own
    const close = text[end + 2] === '}' ? end + 1 : end;
    if (at > from) parts.push({ text: text.slice(from, at) });
    parts.push({ expression: text.slice(at + 2, close).trim() });
    from = close + 2;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** The expressions of a template in their order; null: braces are opened and not closed. */
export function placeholdersOf(template: string): string[] | null {
  const blocks = blocksOf(template);
  if (blocks === null) return null;
  return blocks.flatMap((block) =>
    block.kind === 'alone' ? [block.expression] : block.parts.flatMap((part) => ('expression' in part ? [part.expression] : [])),
  );
}

/**
 * The blocks of a template, a line each: `# `, `## ` and `### ` begin a heading, `- ` an item of a list; lines without an empty line between
 * them are one paragraph. Null: braces are opened and not closed in their line.
 */
export function blocksOf(template: string): TemplateBlock[] | null {
  const blocks: TemplateBlock[] = [];
  let continues = false;
  for (const line of template.split('\n')) {
    const text = line.trim();
    const [, marks = '', rest = ''] = /^(#{1,3}|-) +(.*)$/.exec(text) ?? [];
    const parts = partsOf(marks === '' ? text : rest);
    if (parts === null) return null;
    const [first] = parts;
    const last = blocks.at(-1);
    if (text === '') continues = false;
    else if (marks === '-') blocks.push({ kind: 'item', parts });
    else if (marks !== '') blocks.push({ kind: 'heading', level: marks.length as 1 | 2 | 3, parts });
    else if (parts.length === 1 && first !== undefined && 'expression' in first)
      blocks.push({ kind: 'alone', expression: first.expression });
    else if (continues && last?.kind === 'paragraph') last.parts.push({ text: '\n' }, ...parts);
    else blocks.push({ kind: 'paragraph', parts });
    continues = blocks.at(-1)?.kind === 'paragraph' && text !== '' && marks === '';
  }
  return blocks;
}
