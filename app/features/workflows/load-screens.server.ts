/** The data of each screen of the area, in one transaction of the member. */

import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission, can } from '#app/domain/people/roles.ts';
import type { Catalogue } from '#app/domain/workflows/catalogue.ts';
import { type WorkflowDraft, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { checkWorkflow } from '#app/domain/workflows/workflow-check.ts';
import { diffWorkflows } from '#app/domain/workflows/workflow-diff.ts';
import { stepAt } from '#app/domain/workflows/workflow-edit.ts';
import { findTemplate } from '#app/domain/workflows/workflow-templates.ts';
import { isWatched } from '#app/engine/notifications/is-watched.ts';
import { readQuota } from '#app/engine/plans/require-quota.ts';
import { parseExpression } from '#app/engine/runs/expressions/evaluate.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';
import { loadKnownData } from '#app/features/workflows/editor/expressions/load-known-data.server.ts';
import { loadStepTest } from '#app/features/workflows/editor/load-step-test.server.ts';
import { loadVersion } from '#app/features/workflows/load-version.server.ts';
import { loadWorkflow } from '#app/features/workflows/load-workflow.server.ts';

type Context = Readonly<RouterContextProvider>;

/** The access of a member who may write workflows. @throws AppError forbidden */
export function requireAuthor(context: Context) {
  const access = context.get(memberContext);
  assertPermission(access.member.roles, 'authorWorkflow');
  return access;
}

export async function loadDetailScreen(context: Context, id: string) {
  const { member, read } = context.get(memberContext);
  const { found, watched } = await read(async (db) => ({
    found: await loadWorkflow(db, id),
    watched: await isWatched(db, member.userId, 'workflow', id),
  }));
  return { workflow: inReadersLanguage(context, found), watched, mayAuthor: can(member.roles, 'authorWorkflow') };
}

export async function loadVersionScreen(context: Context, id: string, number: string, url: URL) {
  const { member, read } = context.get(memberContext);
  if (!/^[1-9]\d{0,8}$/.test(number)) throw new AppError('not_found');
  const against = Number.parseInt(url.searchParams.get('against') ?? '', 10);
  return await read(async (db) => {
    const version = await loadVersion(db, id, Number(number), Number.isNaN(against) ? null : against);
    return {
      version: inReadersLanguage(context, version),
      revision: can(member.roles, 'authorWorkflow') ? (await loadDraft(db, id)).revision : null,
    };
  });
}

export async function loadCreateScreen(context: Context, url: URL) {
  const { member, read } = requireAuthor(context);
  const template = url.searchParams.get('template') ?? '';
  const { now } = context.get(servicesContext);
  const room = await read((db) => readQuota(db, member.workspace.id, 'workflows', now()));
  return {
    template: findTemplate(template) === null ? '' : template,
    full: room?.full ? { what: 'workflows' as const, limit: room.limit, mayChange: can(member.roles, 'manageMembers') } : null,
  };
}

export async function loadEditorScreen(context: Context, id: string) {
  return await requireAuthor(context).read(async (db) => readEditor(context, db, await loadDraft(db, id), await loadCatalogue(db, id)));
}
export type LoadedEditor = Awaited<ReturnType<typeof loadEditorScreen>>;

/** The data of a draft's picture and outline. */
export async function readEditor(context: Context, db: Db, draft: WorkflowDraft, catalogue: Catalogue) {
  const issues = checkWorkflow(draft.document, catalogue, parseExpression);
  const standing = await db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .where('a.id', '=', draft.id)
    .select('v.document')
    .executeTakeFirst();
  const inForce = standing === undefined ? null : workflowDocumentSchema.parse(standing.document);
  // The changes that publishing would make; null where no version is in force.
  const published = inForce === null ? null : { steps: inForce.steps, changes: diffWorkflows(inForce, draft.document) };
  return { ...inReadersLanguage(context, { draft, published }), issues };
}

/** `?test=`: the run of a test whose result stands beside the step. */
export async function loadStepScreen(context: Context, id: string, path: string, url: URL) {
  const requestKey = context.get(servicesContext).newId();
  return await requireAuthor(context).read(async (db) => {
    const draft = await loadDraft(db, id);
    const step = stepAt(draft.document, path);
    if (step === null) throw new AppError('not_found');
    const catalogue = await loadCatalogue(db, id);
    const editor = await readEditor(context, db, draft, catalogue);
    const known = await loadKnownData(db, draft, path, catalogue.capabilities);
    const test = await loadStepTest(db, { draft, step, targets: catalogue.capabilities, url, requestKey });
    return { ...editor, ...inReadersLanguage(context, { step, catalogue: catalogue.capabilities, known, test }), path };
  });
}

/** The document is edited as it is stored; the names around it are the reader's. */
export async function loadJsonScreen(context: Context, id: string) {
  const draft = await requireAuthor(context).read((db) => loadDraft(db, id));
  return { draft: { ...inReadersLanguage(context, draft), document: draft.document } };
}

/** The settings, with the names that the expression of the output may use. */
export async function loadSettingsScreen(context: Context, id: string) {
  return await requireAuthor(context).read(async (db) => {
    const draft = await loadDraft(db, id);
    const catalogue = await loadCatalogue(db, id);
    const issues = checkWorkflow(draft.document, catalogue, parseExpression).filter(({ path }) => path === '');
    return { ...inReadersLanguage(context, { draft, known: await loadKnownData(db, draft, '', catalogue.capabilities) }), issues };
  });
}

export async function loadDraftScreen(context: Context, id: string) {
  return { draft: inReadersLanguage(context, await requireAuthor(context).read((db) => loadDraft(db, id))) };
}
