import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { MOST_SELECTED } from '#app/components/list/selection.tsx';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { listUrl } from '#app/domain/web/list-address.ts';
import { resendDelivery } from '#app/engine/commands/operator/resend-delivery.ts';
import { DELIVERIES, maySendAgain } from '#app/features/notifications/load-deliveries.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;

const ids = z.array(z.uuid()).min(1).max(MOST_SELECTED);

/** Puts each webhook that is ticked at the front of the queue again, one after another, and says of how many it was done. */
export async function sendAgainAction({ request, context }: { request: Request; context: Context }): Promise<Response> {
  if (!maySendAgain(context.get(memberContext).member.roles)) throw data({ code: 'forbidden' }, { status: 403 });
  const back = listUrl(DELIVERIES, new URL(request.url).searchParams);
  const chosen = ids.safeParse((await request.formData()).getAll('delivery'));
  if (!chosen.success) return redirectWithNotice(back, 'noneSelected', { kind: 'attention' });
  let done = 0;
  for (const id of new Set(chosen.data)) if (await isSent(context, id)) done += 1;
  const left = chosen.data.length - done;
  return redirectWithNotice(back, 'deliveriesSentAgain', { values: { done, left }, kind: left === 0 ? 'ok' : 'attention' });
}

/** False: a mail, whose text is gone, or one that has been deleted since. The others are not stopped by that. */
async function isSent(context: Context, delivery: string): Promise<boolean> {
  try {
    await performAsMember(context, resendDelivery, { delivery });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
