import type { FlowBlock, FlowCell } from '#app/engine/documents/document-flow.ts';

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

/** A page of its own to read and print: no script, nothing loaded. All words are text: none becomes markup. */
export function htmlDocument(title: string, flow: readonly FlowBlock[]): string {
  const body = flow.map((block, at) => {
    const before = flow[at - 1]?.kind !== 'item';
    const after = flow[at + 1]?.kind !== 'item';
    return blockHtml(block, before, after);
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

/** `opens`, `closes`: whether an item is the first or the last of its list. */
function blockHtml(block: FlowBlock, opens: boolean, closes: boolean): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level} dir="auto">${escaped(block.text)}</h${block.level}>`;
    case 'paragraph':
      return `<p dir="auto">${escaped(block.text)}</p>`;
    case 'item':
      return `${opens ? '<ul>' : ''}<li dir="auto">${escaped(block.text)}</li>${closes ? '</ul>' : ''}`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li dir="auto">${escaped(item)}</li>`).join('')}</ul>`;
    case 'table': {
      const head = block.head?.map((name) => `<th scope="col" dir="auto">${escaped(name)}</th>`).join('');
      const rows = block.rows.map(({ name, cells }) => {
        const first = name === null ? '' : `<th scope="row" dir="auto">${escaped(name)}</th>`;
        return `<tr>${first}${cells.map(cellHtml).join('')}</tr>`;
      });
      return `<table>${head === undefined ? '' : `<thead><tr>${head}</tr></thead>`}<tbody>${rows.join('')}</tbody></table>`;
    }
  }
}

function cellHtml(cell: FlowCell): string {
  if (cell === null) return '<td></td>';
  return cell.isNumber ? `<td class="number">${escaped(cell.text)}</td>` : `<td dir="auto">${escaped(cell.text)}</td>`;
}
