import { data, type RouterContextProvider } from 'react-router';
import type { ShownExport } from '#app/components/data/export-facts.tsx';
import { shownExport } from '#app/components/data/shown-export.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { isOfTheLog } from '#app/domain/control/evidence-export.ts';
import { type EvidenceExport, readExportQuery } from '#app/domain/control/evidence-export-schema.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { frameworkName } from '#app/engine/compliance/framework-name.ts';
import { type ExportState, readExportState } from '#app/engine/control/evidence-grants.ts';
import { exportFiles } from '#app/features/audit/exports/export-files.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';

type Context = Readonly<RouterContextProvider>;
export type LoadedExport = { asked: null } | { asked: ShownExport; state: ExportState; files: ReturnType<typeof exportFiles> };

/** The export that the address names, for whoever may take it out. 400 where it names one that there is not. */
export function readAskedExport(context: Context, url: URL): EvidenceExport | null {
  const { roles } = context.get(memberContext).member;
  assertPermission(roles, 'seeAllRuns');
  if (!url.searchParams.has('kind')) return null;
  const exported = readExportQuery(url.searchParams);
  if (exported === null) throw data({ code: 'invalid_input' }, { status: 400 });
  if (isOfTheLog(exported)) assertPermission(roles, 'exportEvidence');
  return exported;
}

/** What would leave, how far it is, and its files; `asked` null where nothing is named yet. */
export async function loadExport({ url, context }: { url: URL; context: Context }): Promise<LoadedExport> {
  const exported = readAskedExport(context, url);
  if (exported === null) return { asked: null };
  const { member, read } = context.get(memberContext);
  const state = await read((db) => readExportState(db, member.userId, exported));
  const framework = exported.kind === 'pack' ? await frameworkName(exported.framework, getLanguage(context)) : null;
  return {
    asked: shownExport(exported, framework),
    state,
    files: exportFiles(exported, state.state === 'granted' ? state.taken : []),
  };
}
