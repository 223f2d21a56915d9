import { href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { EXAMPLES_MAX } from '#app/domain/audit/policy-example.ts';
import { editPolicy } from '#app/engine/commands/policies/edit-policy.ts';
import { exampleFormSchema, exampleFromForm } from '#app/features/policies/examples/example-form-schema.ts';
import { placeOf } from '#app/features/policies/examples/load-example.server.ts';
import { loadPolicyForEdit } from '#app/features/policies/load-policy.server.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Writes one example into the draft, or takes it out. The text stays as it is. */
export async function exampleAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { policy: string; example: string };
  context: Readonly<RouterContextProvider>;
}) {
  const policy = await loadPolicyForEdit({ params, context });
  const place = placeOf(params.example, policy.examples.length);
  const sent = await request.formData();
  const removes = sent.get('intent') === 'remove' && place !== null;
  const parsed = await parseFormData(sent, exampleFormSchema);
  if (!parsed.ok && !removes) return invalidForm(parsed.reply);
  const example = parsed.ok && !removes ? exampleFromForm(parsed.value) : null;
  const others = place === null ? policy.examples : policy.examples.toSpliced(place, 1);
  if (example !== null && others.some(({ name }) => name === example.name))
    return invalidForm(parsed.reply, { fieldErrors: { name: ['exampleNameTaken'] } });
  if (example !== null && others.length >= EXAMPLES_MAX) return invalidForm(parsed.reply, { formErrors: ['tooManyExamples'] });
  const { id, name, description, text, revision } = policy;
  // the revision that the author saw must be that of the draft that is overwritten
  if (Number(sent.get('revision')) !== revision) return invalidForm(parsed.reply, { formErrors: ['draftChangedMeanwhile'] }, 409);
  const examples = example === null ? others : policy.examples.toSpliced(place ?? policy.examples.length, place === null ? 0 : 1, example);
  try {
    await performAsMember(context, editPolicy, { policy: id, revision, name, description, text, examples });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(
    href('/dashboard/policies/:policy/edit', { policy: id }),
    removes ? 'policyExampleRemoved' : 'policyExampleSaved',
  );
}
