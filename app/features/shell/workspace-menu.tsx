import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { Menu } from '#app/components/look/menu.tsx';
import type { ShellData } from '#app/features/shell/shell-data.ts';
import Check from '~icons/check';
import ChevronsUpDown from '~icons/chevrons-up-down';
import Plus from '~icons/plus';

/** The current workspace, and the links to one's others. */
export function WorkspaceMenu({ shell }: { shell: ShellData }) {
  const { t } = useTranslation('shell');
  return (
    <Menu
      align="start"
      label={t('workspace')}
      summary={
        <>
          <bdi className="min-w-0 truncate text-as-parent font-semibold">{shell.workspace.name}</bdi>
          <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
        </>
      }
    >
      <ul aria-label={t('workspaces')} className="grid max-h-[60dvh] gap-0.5 overflow-y-auto">
        {shell.workspaces.map((workspace) => {
          const current = workspace.id === shell.workspace.id;
          return (
            <li key={workspace.id}>
              <Form method="post" action={href('/dashboard/account/workspace')}>
                <WorkspaceInput />
                <button
                  type="submit"
                  name="workspaceId"
                  value={workspace.id}
                  {...(current ? { 'aria-current': 'true' as const } : {})}
                  className="flex min-h-9 w-full items-center justify-between gap-3 rounded-md px-2.5 py-1 text-start text-sm text-ink hover:bg-raised aria-[current=true]:bg-accent-soft aria-[current=true]:font-semibold aria-[current=true]:text-accent"
                >
                  <bdi className="min-w-0 break-words">{workspace.name}</bdi>
                  {current ? <Check aria-hidden="true" className="size-4 shrink-0" /> : null}
                </button>
              </Form>
            </li>
          );
        })}
      </ul>
      {shell.founds ? (
        <Link
          to={href('/dashboard/account/workspaces/new')}
          className="mt-1 flex min-h-9 items-center gap-2 rounded-md border-t border-line px-2.5 py-1 text-sm text-ink no-underline hover:bg-raised"
        >
          <Plus aria-hidden="true" className="size-4 shrink-0 text-muted" />
          {t('newWorkspace')}
        </Link>
      ) : null}
    </Menu>
  );
}
