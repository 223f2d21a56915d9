import { Children, isValidElement, type ReactNode, useMemo } from 'react';
import { Form, type FormProps, useNavigation } from 'react-router';
import { ErrorSummary } from '#app/components/form/error-summary.tsx';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { RowChangeContext, readRowChange } from '#app/components/form/row-change.ts';
import { useUnsaved } from '#app/components/form/unsaved/use-unsaved.ts';
import { type AppFormMetadata, FormProvider, type FormResult } from '#app/components/form/use-app-form.ts';

type Props = Omit<FormProps, 'id' | 'onSubmit' | 'onBlur' | 'onInput' | 'noValidate' | 'children' | 'method'> & {
  form: AppFormMetadata;
  method?: 'post' | 'get';
  /** Names of fields for the error summary, where fields are not direct children of this form. */
  labels?: Record<string, string>;
  /** The answer to the form, of one whose rows are added and removed by buttons. */
  rows?: FormResult | null;
  children: ReactNode;
};

/** A form with its error summary. It posts like any form without scripts, and stays on the page with them. */
export function AppForm({ form, method = 'post', labels, rows, children, className = 'grid gap-6', ...rest }: Props) {
  const unsaved = useUnsaved(form, method);
  return (
    <FormProvider context={form.context}>
      {/* noValidate also without scripts: our own messages stand beside the field, in the reader's language. */}
      <Form {...rest} {...form.props} {...unsaved} noValidate method={method} className={className}>
        <ErrorSummary form={form} labels={{ ...labelsIn(children), ...labels }} />
        <WorkspaceInput />
        {rows === undefined ? children : <WithRows answer={rows}>{children}</WithRows>}
      </Form>
    </FormProvider>
  );
}

/** Enter in a field presses the first button of a form, which would be one that adds or removes a row. */
function WithRows({ answer, children }: { answer: FormResult | null; children: ReactNode }) {
  const sending = useNavigation().state === 'submitting';
  const change = useMemo(() => readRowChange(answer?.submission.intent), [answer]);
  return (
    <RowChangeContext value={change}>
      <button type="submit" tabIndex={-1} aria-hidden="true" disabled={sending} className="sr-only" />
      {children}
    </RowChangeContext>
  );
}

/** Labels of the field parts among the children, by the fields' names. */
function labelsIn(children: ReactNode): Record<string, string> {
  const labels: Record<string, string> = {};
  Children.forEach(children, (child) => {
    if (!isValidElement<{ field?: { name?: unknown }; label?: unknown; children?: ReactNode }>(child)) return;
    const { field, label, children: inner } = child.props;
    if (typeof field?.name === 'string' && typeof label === 'string') labels[field.name] = label;
    else if (inner !== undefined && typeof inner !== 'function') Object.assign(labels, labelsIn(inner));
  });
  return labels;
}
