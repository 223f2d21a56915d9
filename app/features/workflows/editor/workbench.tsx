import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { useFlowChanges } from '#app/features/workflows/change-words.ts';
import { UndoRedo } from '#app/features/workflows/editor/outline-editor.tsx';
import { PictureKeys } from '#app/features/workflows/editor/picture/picture-keys.tsx';
import { FlowView } from '#app/features/workflows/flow-view.tsx';
import type { LoadedEditor } from '#app/features/workflows/load-screens.server.ts';

/** The picture of the draft, and beside it one step, or what can be added. Below each other where there is no room. */
export function Workbench({ editor, current, children }: { editor: LoadedEditor; current?: string; children: ReactNode }) {
  const { t } = useTranslation('workflows');
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,27rem)]">
      <div className="min-w-0">{children}</div>
      <section
        aria-label={t('editor.picture')}
        className="min-w-0 lg:sticky lg:top-20 lg:-order-1 lg:max-h-[calc(100dvb-6rem)] lg:overflow-y-auto"
      >
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <UndoRedo draft={editor.draft} />
        </div>
        <EditorPicture {...editor} current={current} />
      </section>
    </div>
  );
}

/**
 * The draft as a picture, whose cards open their steps, and whose places between them take new ones; with a version in force, what publishing
 * would change.
 */
export function EditorPicture({ draft, published, current }: LoadedEditor & { current?: string | undefined }) {
  const changes = useFlowChanges(published?.changes ?? []);
  const workflow = draft.id;
  // The picture also shows what was removed, which no step can be added to.
  const steps = [...walkSteps(draft.document.steps)];
  const ids = new Set(steps.map(({ step }) => step.id));
  const containers = new Set([
    '',
    ...steps.flatMap(({ step, path }) => ('branches' in step ? step.branches.map(({ label }) => `${path}/${label}`) : [])),
  ]);
  return (
    <PictureKeys draft={draft}>
      <FlowView
        steps={draft.document.steps}
        name={draft.name}
        compared={published === null ? undefined : { steps: published.steps, changes }}
        linkTo={(path) =>
          changes.get(path)?.change === 'removed' ? undefined : href('/dashboard/workflows/:workflow/edit/step/*', { workflow, '*': path })
        }
        current={current}
        addAt={(container, before) =>
          containers.has(container) ? addressOfPlace(workflow, container, before.filter(({ id }) => ids.has(id)).length) : undefined
        }
        outline={false}
      />
    </PictureKeys>
  );
}

/** The page that adds a step to a list, '' or the path of a branch, at this index. */
export const addressOfPlace = (workflow: string, container: string, at: number): string =>
  `${href('/dashboard/workflows/:workflow/edit/add', { workflow })}?${new URLSearchParams({ in: container, at: String(at) })}`;
