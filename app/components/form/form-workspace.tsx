import { createContext, type ReactNode, useContext } from 'react';

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
