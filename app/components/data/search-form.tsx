import { type ReactNode, useId } from 'react';
import { Form } from 'react-router';
import { Button } from '#app/components/ui/button.tsx';

type SearchFormProps = { action: string; words: string; label: string; placeholder: string; submit: string; children?: ReactNode };

/** The search of a page, sent by GET as `q`; `children` follow its button. */
export function SearchForm({ action, words, label, placeholder, submit, children }: SearchFormProps) {
  const id = useId();
  return (
    <search>
      <Form method="get" action={action} className="mb-6 flex max-w-2xl flex-wrap gap-3">
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <input
          key={words}
          id={id}
          type="search"
          name="q"
          defaultValue={words}
          placeholder={placeholder}
          autoComplete="off"
          dir="auto"
          className="min-h-11 min-w-56 flex-1 text-ellipsis rounded-md border border-edge bg-surface px-3 placeholder:text-ellipsis"
        />
        <Button>{submit}</Button>
        {children}
      </Form>
    </search>
  );
}
