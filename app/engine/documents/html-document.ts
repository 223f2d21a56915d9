import { directionOf, type FlowBlock, type FlowCell, flowDirection } from '#app/engine/documents/document-flow.ts';

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

/** An element with a text: in the direction of its own letters, and a number as it is read everywhere. */
function element(name: string, text: string, attributes = ''): string {
  const words = escaped(text);
  const hasLetters = directionOf(text) !== null;
  return `<${name}${attributes}${hasLetters ? ' dir="auto"' : ''}>${hasLetters || text === '' ? words : `<bdi>${words}</bdi>`}</${name}>`;
}

/** A page of its own to read and print: no script, nothing loaded. All words are text: none becomes markup. */
export function htmlDocument(title: string, flow: readonly FlowBlock[]): string {
  const body = flow.map((block, at) => {
    const before = flow[at - 1]?.kind !== 'item';
    const after = flow[at + 1]?.kind !== 'item';
    return blockHtml(block, before, after);
  });
  return `<!doctype html>
<html lang="und" dir="${flowDirection(flow)}">
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
      return element(`h${block.level}`, block.text);
    case 'paragraph':
      return element('p', block.text);
    case 'item':
      return `${opens ? '<ul>' : ''}${element('li', block.text)}${closes ? '</ul>' : ''}`;
    case 'list':
      return `<ul>${block.items.map((item) => element('li', item)).join('')}</ul>`;
    case 'table': {
      const head = block.head?.map((name) => element('th', name, ' scope="col"')).join('');
      const rows = block.rows.map(({ name, cells }) => {
        const first = name === null ? '' : element('th', name, ' scope="row"');
        return `<tr>${first}${cells.map(cellHtml).join('')}</tr>`;
      });
      return `<table>${head === undefined ? '' : `<thead><tr>${head}</tr></thead>`}<tbody>${rows.join('')}</tbody></table>`;
    }
  }
}

const cellHtml = (cell: FlowCell): string =>
  cell === null ? '<td></td>' : element('td', cell.text, cell.isNumber ? ' class="number"' : '');
