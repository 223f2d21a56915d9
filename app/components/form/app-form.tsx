import { Children, isValidElement, type ReactNode } from 'react';
import { Form, type FormProps } from 'react-router';
import { ErrorSummary } from '#app/components/form/error-summary.tsx';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { type AppFormMetadata, FormProvider } from '#app/components/form/use-app-form.ts';

type Props = Omit<FormProps, 'id' | 'onSubmit' | 'onBlur' | 'onInput' | 'noValidate' | 'children' | 'method'> & {
  form: AppFormMetadata;
  method?: 'post' | 'get';
  /** Names of fields for the error summary, where fields are not direct children of this form. */
  labels?: Record<string, string>;
  children: ReactNode;
};

/** A form with its error summary. It posts like any form without scripts, and stays on the page with them. */
export function AppForm({ form, method = 'post', labels, children, className = 'grid gap-6', ...rest }: Props) {
  return (
    <FormProvider context={form.context}>
      {/* noValidate also without scripts: our own messages stand beside the field, in the reader's language. */}
      <Form {...rest} {...form.props} noValidate method={method} className={className}>
        <ErrorSummary form={form} labels={{ ...labelsIn(children), ...labels }} />
        <WorkspaceInput />
        {children}
      </Form>
    </FormProvider>
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
