import { type MouseEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useMessages } from '#app/components/form/field-parts.tsx';
import { ROW_CHANGE } from '#app/components/form/row-change.ts';
import type { AppFormMetadata } from '#app/components/form/use-app-form.ts';
import { useHydrated } from '#app/components/live/hydrated.ts';

/** 'There is a problem', with a link to each field. It takes the focus when the form is refused, with scripts and without. */
export function ErrorSummary({ form, labels }: { form: AppFormMetadata; labels: Record<string, string> }) {
  const { t } = useTranslation('common');
  const toText = useMessages();
  const box = useRef<HTMLDivElement>(null);
  const fieldErrors = Object.entries(form.fieldErrors);
  const formErrors = toText(form.errors);
  const count = fieldErrors.length + formErrors.length;
  const errors = form.errors;
  const submitted = form.fieldErrors;
  const hydrated = useHydrated();
  const isDue = useFocusDue(form.id, box, hydrated);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a set of errors is new also where their number is the same
  useEffect(() => {
    if (count > 0 && isDue.current) box.current?.focus();
  }, [count, errors, submitted]);

  if (count === 0) return null;
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      aria-labelledby={`${form.id}-problem`}
      // biome-ignore lint/a11y/noAutofocus: without scripts this is what brings the reader to the summary
      autoFocus={!hydrated}
      className="max-w-measure rounded-md border-2 border-danger-ink bg-danger px-4 py-3 focus:outline-2 focus:outline-offset-2 focus:outline-danger-ink"
    >
      <h2 id={`${form.id}-problem`} className="font-semibold text-danger-ink">
        {t('form.problem')}
      </h2>
      <ul className="mt-1 grid gap-1">
        {formErrors.map((text) => (
          <li key={text}>{text}</li>
        ))}
        {fieldErrors.map(([name, messages]) => (
          <li key={name}>
            <a
              href={`#${form.getField(name).id}`}
              onClick={(event) => focusField(event, form.getField(name).id)}
              className="font-semibold text-danger-ink underline underline-offset-4"
            >
              {labels[name] ? `${labels[name]}: ` : ''}
              {toText(messages).join(' ')}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * Whether errors that come move the focus: those of a form that was sent do, until its reader goes on. Errors are looked at anew with each
 * key as well. A summary that the server drew has had the focus before scripts come.
 */
function useFocusDue(formId: string, box: RefObject<HTMLElement | null>, hydrated: boolean): RefObject<boolean> {
  const isDue = useRef(hydrated);
  // With the commit that makes the form listen: a moment later the first press may have passed.
  useLayoutEffect(() => {
    const form = document.getElementById(formId);
    const ends = new AbortController();
    const { signal } = ends;
    const goOn = () => {
      isDue.current = false;
    };
    // A button that only adds or removes a row has its own place for the focus.
    const sent = ({ submitter }: SubmitEvent) => (isDue.current = submitter?.getAttribute('name') !== ROW_CHANGE);
    form?.addEventListener('submit', sent, { capture: true, signal });
    form?.addEventListener('input', goOn, { signal });
    form?.addEventListener('focusin', ({ target }) => target !== box.current && goOn(), { signal });
    return () => ends.abort();
  }, [formId, box]);
  return isDue;
}

/** Following the address would be a navigation, and the answer to the form would be gone. */
function focusField(event: MouseEvent, id: string) {
  const field = document.getElementById(id);
  if (field === null) return;
  event.preventDefault();
  field.focus();
}
