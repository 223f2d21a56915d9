import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, href, useSearchParams } from 'react-router';
import { TextArea } from '#app/components/form/text-area.tsx';
import { useLabel } from '#app/components/text/named.ts';
import { Button } from '#app/components/ui/button.tsx';
import type { ContactAnswer } from '#app/features/public/contact/contact-action.server.ts';
import { CONTACT_TOPICS, type ContactValues } from '#app/features/public/contact/contact-values.ts';

const CONTROL =
  'mt-1.5 w-full min-w-0 rounded-md border border-edge bg-surface px-3 text-base text-ink aria-invalid:border-2 aria-invalid:border-danger-ink';
const EMPTY: ContactValues = { topic: '', name: '', email: '', company: '', message: '' };

/** The contact form. Only the server validates it: no schema goes to the browser with a public page. */
export function ContactForm({ answer, action }: { answer: ContactAnswer | null; action: '/contact' | '/pricing' }) {
  const { t } = useTranslation('offer');
  const label = useLabel();
  const id = useId();
  const [params] = useSearchParams();
  const values = answer?.values ?? { ...EMPTY, topic: params.get('topic') ?? '' };
  const topic = CONTACT_TOPICS.find((known) => known === values.topic) ?? 'sales';
  const problems = answer?.problems ?? {};
  const named = (['topic', 'name', 'email', 'company', 'message'] as const).filter((field) => problems[field] !== undefined);
  const control = (field: keyof ContactValues) => ({
    id: `${id}-${field}`,
    name: field,
    ...(problems[field] === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-${field}-problem` }),
  });
  const frame = (field: keyof ContactValues, children: ReactNode) => (
    <Field id={`${id}-${field}`} label={t(`contact.${field}`)} problem={problems[field]}>
      {children}
    </Field>
  );
  return (
    <Form method="post" action={`${href(action)}#contact-form`} noValidate id="contact-form" className="grid max-w-2xl scroll-mt-24 gap-5">
      {answer ? (
        <div role="alert" className="rounded-md border border-danger-ink/30 bg-danger p-4 text-danger-ink">
          <p className="font-semibold">{answer.problem ?? t('contact.refused')}</p>
          {named.length === 0 ? null : (
            <ul className="mt-2 list-disc ps-5">
              {named.map((field) => (
                <li key={field}>
                  <a href={`#${id}-${field}`} className="underline">
                    {label(t(`contact.${field}`))} {problems[field]}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
      ) : null}
      {frame(
        'topic',
        <select key={topic} {...control('topic')} defaultValue={topic} className={`${CONTROL} min-h-11`}>
          {CONTACT_TOPICS.map((known) => (
            <option key={known} value={known}>
              {t(`contact.topics.${known}`)}
            </option>
          ))}
        </select>,
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        {frame(
          'name',
          <input
            {...control('name')}
            type="text"
            autoComplete="name"
            required
            dir="auto"
            defaultValue={values.name}
            className={`${CONTROL} min-h-11`}
          />,
        )}
        {frame(
          'company',
          <input
            {...control('company')}
            type="text"
            autoComplete="organization"
            dir="auto"
            defaultValue={values.company}
            className={`${CONTROL} min-h-11`}
          />,
        )}
      </div>
      {frame(
        'email',
        <input
          {...control('email')}
          type="email"
          autoComplete="email"
          required
          dir="ltr"
          defaultValue={values.email}
          className={`${CONTROL} min-h-11 rtl:text-end`}
        />,
      )}
      {frame(
        'message',
        <TextArea {...control('message')} rows={6} required dir="auto" defaultValue={values.message} className={`${CONTROL} py-2`} />,
      )}
      {/* Nobody sees or reaches this field: only robots fill it in (honeypot). */}
      <div aria-hidden="true" className="absolute -start-[200vw] size-px overflow-hidden">
        <label htmlFor={`${id}-website`}>{t('contact.leaveEmpty')}</label>
        <input id={`${id}-website`} name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <p className="text-sm text-muted">{t('contact.use')}</p>
      <Button variant="primary" className="justify-self-start">
        {t('contact.send')}
      </Button>
    </Form>
  );
}

function Field({ id, label, problem, children }: { id: string; label: string; problem: string | undefined; children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className="mt-1 text-sm font-semibold text-danger-ink">
          {problem}
        </p>
      )}
      {children}
    </div>
  );
}
