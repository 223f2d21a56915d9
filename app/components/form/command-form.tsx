import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';

/** A form without fields to fill in: a button that does one thing, with scripts and without. */
export function CommandForm({
  id,
  hidden,
  action,
  className,
  children,
}: {
  id?: string;
  hidden: Record<string, string>;
  action?: string;
  className?: string;
  /** Absent: its buttons stand elsewhere, and name it. */
  children?: ReactNode;
}) {
  return (
    <Form
      method="post"
      {...(id === undefined ? {} : { id })}
      {...(action === undefined ? {} : { action })}
      {...(className === undefined ? {} : { className })}
      preventScrollReset
      // A page may have hundreds, and the router would go through all of them at each change of the page, to find routes that it knows.
      discover="none"
    >
      <WorkspaceInput />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </Form>
  );
}
