import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { formAsTyped, invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { askWhatIf, type WhatIfAnswer } from '#app/engine/policy/what-if.ts';
import { readInput, whatIfSchema } from '#app/features/reasoning/what-if/what-if-schema.ts';

/** `answer` undefined: the form was refused; null: too little was kept of the decision. */
export type AskedWhatIf = { form: FormResult; answer?: WhatIfAnswer | null };

/** Posted, since an input does not belong into an address. Nothing is stored. */
export async function whatIfAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { decision: string };
  context: Readonly<RouterContextProvider>;
}) {
  if (!z.uuid().safeParse(params.decision).success) throw data({ code: 'not_found' }, { status: 404 });
  const sent = await request.formData();
  const parsed = await parseFormData(sent, whatIfSchema);
  if (!parsed.ok) {
    const refused = invalidForm(parsed.reply);
    return data<AskedWhatIf>({ form: refused.data }, { status: refused.init?.status ?? 400 });
  }
  const { member, read } = context.get(memberContext);
  const { input, version, capability } = parsed.value;
  const asked = { input: readInput(input) ?? {}, versionId: version || null, capabilityId: capability || null };
  const answer = await read((db) => askWhatIf(db, { workspaceId: member.workspace.id, decisionId: params.decision }, asked));
  return data<AskedWhatIf>({ form: formAsTyped(sent), answer });
}
