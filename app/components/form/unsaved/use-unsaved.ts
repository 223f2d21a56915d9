import { type FormEvent, type RefObject, useEffect, useRef } from 'react';
import { useActionData, useLocation } from 'react-router';
import { markAnswered, markRefused, markSaved, markSent, markTyped, watchForm } from '#app/components/form/unsaved/unsaved.ts';
import type { AppFormMetadata } from '#app/components/form/use-app-form.ts';

type Handlers = {
  ref: RefObject<HTMLFormElement | null>;
  onInput(event: FormEvent<HTMLFormElement>): void;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
};

/** Keeps what is typed in a form and not sent in mind, for `UnsavedGuard`. A form that only searches has nothing to save. */
export function useUnsaved({ props, valid, context }: AppFormMetadata, method: 'post' | 'get'): Handlers {
  const box = useRef<HTMLFormElement>(null);
  const saves = method === 'post';
  const { key } = useLocation();
  const answer = useActionData<unknown>();
  const refused = useRef(!valid);
  const first = useRef(context.state.defaultValue);
  useEffect(() => {
    const form = box.current;
    if (form === null || !saves) return;
    const end = watchForm(form);
    if (refused.current) markRefused(form, first.current);
    return end;
  }, [saves]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key without an answer is a redirect
  useEffect(() => {
    if (box.current === null) return;
    if (answer === undefined) markSaved(box.current);
    else markAnswered(box.current);
  }, [answer, key]);
  return {
    ref: box,
    onInput(event) {
      props.onInput(event);
      if (saves) markTyped(event.currentTarget);
    },
    onSubmit(event) {
      props.onSubmit(event);
      if (!event.defaultPrevented) markSent(event.currentTarget);
    },
  };
}
