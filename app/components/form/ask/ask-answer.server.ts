import { data, href } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { Refusal } from '#app/domain/refusal.ts';

/** The reason that was typed for another person; empty where nothing was. A line break counts as one character, as the field counts it. */
export const readReason = (form: FormData): string =>
  String(form.get('reason') ?? '')
    .replaceAll('\r\n', '\n')
    .trim();

/** To the change that now waits for another person. */
export const toAskedChange = (asked: string) =>
  redirectWithNotice(href('/dashboard/changes/:change', { change: asked }), 'changeRequested', { kind: 'info' });

/** The answer where nothing could be asked: the form again where the reason is missing, otherwise `page` with what stood in the way. */
export function refusedAsk(error: Refusal, page: string) {
  if (error.field === 'reason') return data({ reasonMissing: true as const }, 400);
  const waits = error.reasons[0]?.key === 'changeWaitsAlready';
  return redirectWithNotice(page, waits ? 'changeWaitsAlready' : 'changedMeanwhile', { kind: 'attention' });
}
