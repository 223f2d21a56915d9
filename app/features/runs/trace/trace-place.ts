import type { ValueOpening } from '#app/components/value/drawn-value.ts';

/** The state of a run's page, all in its address: the step beside the trace, and how the trace is cut. */
export type TracePlace = PanelPlace & {
  /** The path of the selected step. */
  step: string | null;
  /** Steps that failed alone, with those around them. */
  errors: boolean;
  /** The axis without breaks. */
  trueScale: boolean;
  /** From 1; null: the page that the selected step is on. */
  page: number | null;
};

/** The open value in the panel. */
type PanelPlace = {
  /** The frames of the selected step's call are shown too. */
  frames: boolean;
  /** A part of the input or the output, or words looked for in it. */
  value: (ValueOpening & { of: ValueName }) | null;
};
export type ValueName = 'input' | 'output';

/** The panel as a new selection finds it. */
export const PANEL_CLOSED: PanelPlace = { frames: false, value: null };

/** The id of the panel, which a selecting address leads to where no script runs. */
export const PANEL_ID = 'step';

const FIND = 'find';
const MOST_FIND = 200;

export function readTracePlace({ searchParams }: URL): TracePlace {
  const page = Math.trunc(Number(searchParams.get('page')));
  return {
    step: searchParams.get('step'),
    errors: searchParams.get('only') === 'errors',
    trueScale: searchParams.get('scale') === 'true',
    page: page >= 1 ? page : null,
    frames: searchParams.get('show') === 'frames',
    value: readOpening(searchParams),
  };
}

/** `?open=output/rows/3`: whose part, and a JSON Pointer to it. */
function readOpening(params: URLSearchParams): TracePlace['value'] {
  const [, of, pointer = ''] = /^(input|output)(\/.*)?$/s.exec(params.get('open') ?? '') ?? [];
  if (of !== 'input' && of !== 'output') return null;
  const from = Math.trunc(Number(params.get('from')));
  return { of, pointer, from: from > 0 ? from : 0, find: params.get(FIND)?.slice(0, MOST_FIND) ?? null };
}

/** The address of a place; `base`: that of the page, which may have a query of its own. */
export function traceAddress(base: string, { step, errors, trueScale, page, frames, value }: TracePlace): string {
  const [path = '', query = ''] = base.split('?', 2);
  const params = new URLSearchParams(query);
  if (errors) params.set('only', 'errors');
  if (trueScale) params.set('scale', 'true');
  if (page !== null && page > 1) params.set('page', String(page));
  if (step !== null) params.set('step', step);
  if (frames) params.set('show', 'frames');
  if (value !== null) {
    params.set('open', `${value.of}${value.pointer}`);
    if (value.from > 0) params.set('from', String(value.from));
    if (value.find !== null) params.set(FIND, value.find);
  }
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The addresses of the parts of a value, and of the search in it, for the page at this place. */
export function valueAddresses(base: string, place: TracePlace, of: ValueName) {
  const opened = (opening: ValueOpening) => traceAddress(base, { ...place, frames: false, value: { of, ...opening } });
  const url = new URL(opened({ pointer: '', from: 0, find: null }), 'https://quorate.invalid');
  return {
    addressOf: (pointer: string, from = 0) => `${opened({ pointer, from, find: null })}#${PANEL_ID}`,
    search: { action: `${url.pathname}#${PANEL_ID}`, name: FIND, hidden: [...url.searchParams] },
  };
}
