import type { RouterContextProvider } from 'react-router';
import { memberContext } from '#app/request-context.ts';

export function loadAdmin(context: Readonly<RouterContextProvider>): { workspace: string } {
  return { workspace: context.get(memberContext).member.workspace.name };
}
