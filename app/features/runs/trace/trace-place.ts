/** What of a run's page is open: the step beside the trace, and how the trace is cut. All of it stands in the address. */
export type TracePlace = {
  /** The path of the selected step. */
  step: string | null;
  /** Steps that failed alone, with those around them. */
  errors: boolean;
  /** The axis without breaks. */
  trueScale: boolean;
  /** From 1; null: the page that the selected step is on. */
  page: number | null;
  /** The frames of the selected step's call are shown too. */
  frames: boolean;
};

/** The id of the panel, which a selecting address leads to where no script runs. */
export const PANEL_ID = 'step';

export function readTracePlace({ searchParams }: URL): TracePlace {
  const page = Math.trunc(Number(searchParams.get('page')));
  return {
    step: searchParams.get('step'),
    errors: searchParams.get('only') === 'errors',
    trueScale: searchParams.get('scale') === 'true',
    page: page >= 1 ? page : null,
    frames: searchParams.get('show') === 'frames',
  };
}

/** The address of a place; `base`: that of the page, which may have a query of its own. */
export function traceAddress(base: string, { step, errors, trueScale, page, frames }: TracePlace): string {
  const [path = '', query = ''] = base.split('?', 2);
  const params = new URLSearchParams(query);
  if (errors) params.set('only', 'errors');
  if (trueScale) params.set('scale', 'true');
  if (page !== null && page > 1) params.set('page', String(page));
  if (step !== null) params.set('step', step);
  if (step !== null && frames) params.set('show', 'frames');
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}
