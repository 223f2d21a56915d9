import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { STEP_KINDS, type StepKind } from '#app/contracts/statuses.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { insertSteps } from '#app/domain/workflows/workflow-edit.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';
import { findSteps } from '#app/features/workflows/editor/find-steps.ts';
import { readEditor } from '#app/features/workflows/load-screens.server.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

type Arguments = { context: Readonly<RouterContextProvider>; params: { workflow: string }; url: URL };

/** The draft, the place that is asked for, and the steps that can be added there, by what is typed. */
export async function loadAddStep({ context, params, url }: Arguments) {
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'authorWorkflow');
  const container = url.searchParams.get('in') ?? '';
  const query = (url.searchParams.get('q') ?? '').trim().slice(0, 200);
  const { editor, targets } = await read(async (db) => {
    const catalogue = await loadCatalogue(db, params.workflow);
    return { editor: await readEditor(context, db, await loadDraft(db, params.workflow), catalogue), targets: catalogue.capabilities };
  });
  const { document } = editor.draft;
  const at = url.searchParams.has('at') ? Number(url.searchParams.get('at')) : document.steps.length;
  // The draft may have changed since the place was shown.
  if (!Number.isInteger(at) || at < 0 || insertSteps(document, container, at, []) === null) throw new AppError('not_found');
  const t = getTranslator(context, 'flow');
  const kinds = Object.fromEntries(
    STEP_KINDS.map((kind) => [kind, { title: t(`kinds.${kind}`), description: t(`kindHints.${kind}`) }]),
  ) as Record<StepKind, { title: string; description: string }>;
  return { ...editor, place: { container, at }, query, ...findSteps(query, kinds, inReadersLanguage(context, targets)) };
}
export type LoadedAddStep = Awaited<ReturnType<typeof loadAddStep>>;
