import type { RouterContextProvider } from 'react-router';
import type { PanelData } from '#app/components/page/panel-data.ts';
import { requestIdContext, servicesContext } from '#app/contracts/request-context.ts';

/**
 * The data of one panel. Never rejects: a failure is logged under this request's id, which the panel shows, and the rest of the page works.
 */
export async function loadPanel<T>(context: Readonly<RouterContextProvider>, work: Promise<T>): Promise<PanelData<T>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    const reference = context.get(requestIdContext);
    context.get(servicesContext).log.error('a panel failed', { request: reference, error });
    return { ok: false, reference };
  }
}

/**
 * The data of a panel below the fold: for a browser that runs scripts it comes after the first byte; for any other the page waits,
 * because what comes late is put in its place by a script.
 */
export async function deferPanel<T>(
  panel: Promise<PanelData<T>>,
  request: Request,
): Promise<{ data: Promise<PanelData<T>> | PanelData<T> }> {
  return { data: runsScripts(request) ? panel : await panel };
}

/** A request made by a script, or by a browser whose script has sent its time zone before. */
export function runsScripts(request: Request): boolean {
  return request.headers.get('Sec-Fetch-Dest') === 'empty' || /(?:^|;\s*)tz=/.test(request.headers.get('Cookie') ?? '');
}
