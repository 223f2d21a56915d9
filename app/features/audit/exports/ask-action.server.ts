import { data, href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { exportQuery } from '#app/domain/control/export-query.ts';
import { askForEvidence } from '#app/engine/commands/evidence/ask-for-evidence.ts';
import { askSchema } from '#app/features/audit/exports/ask-schema.ts';
import { readAskedExport } from '#app/features/audit/exports/load-export.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Args = { request: Request; url: URL; context: Readonly<RouterContextProvider> };

/** Asks another person whether the evidence of the address may leave. */
export async function askAction({ request, url, context }: Args) {
  const exported = readAskedExport(context, url);
  if (exported === null) throw data({ code: 'invalid_input' }, { status: 400 });
  const parsed = await parseForm(request, askSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  try {
    const outcome = await performAsMember(context, askForEvidence, { export: exported, reason: parsed.value.reason });
    if (outcome.state === 'requested')
      return redirectWithNotice(href('/dashboard/changes/:change', { change: outcome.asked }), 'exportAsked');
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(`${href('/dashboard/audit/export')}?${exportQuery(exported)}`, 'exportAlone', { kind: 'attention' });
}
