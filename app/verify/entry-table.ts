const COLUMNS = ['Entry', 'Time', 'Who', 'Action', 'About'];
/** Of a whole log only the beginning is shown. */
const MOST_ROWS = 200;

/** The entries of a bundle that was found to be one, as a table to read; null where it has none. */
export function entryTable(bundle: unknown): HTMLElement | null {
  const events = list(member(bundle, 'events'));
  if (events.length === 0) return null;
  const table = document.createElement('table');
  row(table.createTHead(), COLUMNS, 'th');
  const body = table.createTBody();
  for (const event of events.slice(0, MOST_ROWS)) row(body, cellsOf(event), 'td');
  const frame = document.createElement('div');
  frame.className = 'scroll';
  frame.tabIndex = 0;
  frame.append(table);
  if (events.length > MOST_ROWS) {
    const rest = document.createElement('p');
    rest.textContent = `The first ${MOST_ROWS} of ${events.length} entries.`;
    frame.append(rest);
  }
  return frame;
}

function cellsOf(event: unknown): string[] {
  const body = member(event, 'body');
  const [actor, resource] = [member(body, 'actor'), member(body, 'resource')];
  return [
    text(member(event, 'leafIndex')),
    text(member(event, 'at')),
    text(member(actor, 'name')) || text(member(actor, 'kind')),
    body === null ? '(erased)' : text(member(body, 'action')),
    text(member(resource, 'name')) || `${text(member(resource, 'kind'))} ${text(member(resource, 'id'))}`.trim(),
  ];
}

function row(section: HTMLTableSectionElement, cells: readonly string[], tag: 'th' | 'td'): void {
  const line = section.insertRow();
  for (const value of cells) {
    const cell = document.createElement(tag);
    cell.textContent = value;
    line.append(cell);
  }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? ((value as Record<string, unknown>)[name] ?? null) : null;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
