import { data } from 'react-router';
import { z } from 'zod';
import { formAsTyped } from '#app/components/form/parse-form.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { EXPRESSION_USES, withName } from '#app/domain/workflows/mappings/completion.ts';
import type { GivenBackForm } from '#app/features/workflows/editor/given-back-form.ts';

/** The value of a button for one name: how the field reads expressions, the field, and the name, with a blank between. */
const insertSchema = z
  .string()
  .max(2_000)
  .transform((value) => /^(\S+) (\S+) (.+)$/s.exec(value)?.slice(1))
  .pipe(z.tuple([z.enum(EXPRESSION_USES), z.string(), z.string()]));

/** Without scripts: the form again, with the names for one of its fields, or with one of them in it. Null: it is to be saved. */
export function namesAnswer(formData: FormData) {
  const [names, insert] = [formData.get('names'), formData.get('insert')];
  formData.delete('names');
  formData.delete('insert');
  if (typeof names === 'string') return data<GivenBackForm>({ form: formAsTyped(formData), names });
  if (insert === null) return null;
  const parsed = insertSchema.safeParse(insert);
  if (!parsed.success) throw new AppError('invalid_input');
  const [use, field, name] = parsed.data;
  const before = formData.get(field);
  if (typeof before !== 'string') throw new AppError('invalid_input');
  formData.set(field, withName(before, use, name));
  return data<GivenBackForm>({ form: formAsTyped(formData) });
}
