import type { Json } from '#app/contracts/json.ts';
import type { TemplateBlock, TemplatePart } from '#app/domain/documents/document-template.ts';

/** A value has no place where its template puts it. */
export class TemplateValueError extends Error {
  readonly expression: string;
  constructor(expression: string) {
    super('a value that is no text');
    this.name = 'TemplateValueError';
    this.expression = expression;
  }
}

const STYLE = `
:root { color-scheme: light; }
body { max-inline-size: 46rem; margin: 2rem auto; padding: 0 1.5rem; color: #10182b; background: #fff;
  font: 1rem/1.5 'IBM Plex Sans', 'IBM Plex Sans Arabic', 'IBM Plex Sans Hebrew', system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.25; margin: 1.5em 0 0.5em; break-after: avoid; }
h1 { font-size: 1.75rem; margin-block-start: 0; } h2 { font-size: 1.375rem; } h3 { font-size: 1.125rem; }
p { margin: 0 0 0.75em; white-space: pre-line; overflow-wrap: anywhere; }
ul { margin: 0 0 0.75em; padding-inline-start: 1.25rem; }
table { inline-size: 100%; border-collapse: collapse; margin: 0.5em 0 1em; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.375rem 0.5rem; border-block-end: 1px solid #c4c9d4; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
th { border-block-end: 2px solid #10182b; } tr { break-inside: avoid; } thead { display: table-header-group; }
.number { text-align: end; }
@page { margin: 20mm; }
@media print { body { max-inline-size: none; margin: 0; padding: 0; } }
`;

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);

/**
 * A page of its own to read and print: no script, nothing loaded. `read` gives the values of the expressions. All words of the template and all
 * values are text: none becomes markup. @throws TemplateValueError
 */
export function htmlDocument(title: string, blocks: readonly TemplateBlock[], read: (expression: string) => Json): string {
  const inline = (parts: readonly TemplatePart[]) =>
    parts.map((part) => escaped('text' in part ? part.text : inlineText(part.expression, read(part.expression)))).join('');
  const body = blocks.map((block, at) => {
    if (block.kind === 'alone') return blockOf(block.expression, read(block.expression));
    const words = inline(block.parts);
    if (block.kind === 'heading') return `<h${block.level} dir="auto">${words}</h${block.level}>`;
    if (block.kind === 'paragraph') return `<p dir="auto">${words}</p>`;
    const [opens, closes] = [blocks[at - 1]?.kind !== 'item', blocks[at + 1]?.kind !== 'item'];
    return `${opens ? '<ul>' : ''}<li dir="auto">${words}</li>${closes ? '</ul>' : ''}`;
  });
  return `<!doctype html>
<html lang="und">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body.join('\n')}
</body>
</html>
`;
}

function inlineText(expression: string, value: Json): string {
  if (Array.isArray(value)) return value.map((item) => inlineText(expression, item)).join(', ');
  if (value === null || typeof value === 'object') throw new TemplateValueError(expression);
  return String(value);
}

const isRow = (value: Json): value is { [key: string]: Json } => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value that stands alone: rows are a table, other lists a list, an object a table of its members. */
function blockOf(expression: string, value: Json): string {
  if (isRow(value)) return membersOf(value);
  if (!Array.isArray(value)) return `<p dir="auto">${escaped(inlineText(expression, value))}</p>`;
  if (value.every(isRow)) return tableOf(value);
  return `<ul>${value.map((item) => `<li dir="auto">${escaped(inlineText(expression, item))}</li>`).join('')}</ul>`;
}

function membersOf(value: { [key: string]: Json }): string {
  const lines = Object.entries(value).map(([key, member]) => `<tr><th scope="row" dir="auto">${escaped(key)}</th>${cellOf(member)}</tr>`);
  return `<table><tbody>${lines.join('')}</tbody></table>`;
}

function tableOf(rows: readonly { [key: string]: Json }[]): string {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const head = keys.map((key) => `<th scope="col" dir="auto">${escaped(key)}</th>`).join('');
  const line = (row: { [key: string]: Json }) => `<tr>${keys.map((key) => cellOf(row[key] ?? null)).join('')}</tr>`;
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.map(line).join('')}</tbody></table>`;
}

function cellOf(value: Json): string {
  if (value === null) return '<td></td>';
  if (typeof value === 'number') return `<td class="number">${String(value)}</td>`;
  return `<td dir="auto">${escaped(typeof value === 'object' ? JSON.stringify(value) : String(value))}</td>`;
}
