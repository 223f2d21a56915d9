import { z } from 'zod';
import { LANGUAGES, type Language } from '#app/domain/web/languages.ts';

/** Admins of a workspace as the database lists them: whom to write to, in which language. */
export const adminAddressesSchema = z.array(z.object({ email: z.string(), language: z.enum(LANGUAGES).catch('en') }));

/** One mail to each of them, worded once a language. */
export function mailsTo(
  people: readonly { email: string; language: Language }[],
  word: (language: Language) => { subject: string; text: string },
): { kind: 'mail'; target: string; subject: string; body: string }[] {
  const worded = new Map([...new Set(people.map(({ language }) => language))].map((language) => [language, word(language)]));
  return people.map(({ email, language }) => {
    const { subject, text } = worded.get(language) ?? word(language);
    return { kind: 'mail', target: email, subject, body: text };
  });
}
