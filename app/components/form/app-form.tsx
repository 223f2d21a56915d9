import { Children, createContext, isValidElement, type ReactNode, useContext } from 'react';
import { Form, type FormProps } from 'react-router';
import { ErrorSummary } from '#app/components/form/error-summary.tsx';
import { type AppFormMetadata, FormProvider } from '#app/components/form/use-app-form.ts';

const WorkspaceContext = createContext<string | null>(null);

/** The current workspace: every form below carries its id, so that a form of another workspace can be refused. */
export function FormWorkspaceProvider({ workspaceId, children }: { workspaceId: string; children: ReactNode }) {
  return <WorkspaceContext value={workspaceId}>{children}</WorkspaceContext>;
}

/** The id of the workspace that a form sent by a script must carry; null outside the app area. */
export function useFormWorkspace(): string | null {
  return useContext(WorkspaceContext);
}

/** The hidden field with the workspace's id, for a bare `<Form>` of one button. */
export function WorkspaceInput() {
  const workspaceId = useContext(WorkspaceContext);
  return workspaceId === null ? null : <input type="hidden" name="workspace" value={workspaceId} />;
}

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
      {/* noValidate also without scripts: what is wrong is said by us, in the reader's language, beside the field. */}
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
