import { data, href } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { Refusal } from '#app/domain/refusal.ts';

/** The reason that was typed for another person; empty where nothing was. */
export const readReason = (form: FormData): string => String(form.get('reason') ?? '').trim();

/** To the change that now waits for another person. */
export const toAskedChange = (asked: string) =>
  redirectWithNotice(href('/dashboard/changes/:change', { change: asked }), 'changeRequested', { kind: 'info' });

/** The answer where nothing could be asked: the form again without a reason, and `page` where it waits already. Rethrows every other error. */
export function refusedAsk(error: unknown, page: string) {
  if (!(error instanceof Refusal)) throw error;
  if (error.field === 'reason') return data({ reasonMissing: true as const }, 400);
  return redirectWithNotice(page, 'changeWaitsAlready', { kind: 'attention' });
}
