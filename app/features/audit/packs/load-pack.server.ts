import { data, type RouterContextProvider } from 'react-router';
import { inReadersLanguage, shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import { PACK_SAMPLE } from '#app/domain/audit/pack-records.ts';
import { answeredOf } from '#app/domain/inventory/impact-assessment.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';
import { loadLawWords } from '#app/engine/compliance/law-words.ts';
import { type Catalogue, loadLaws } from '#app/engine/compliance/laws.ts';
import { readExportState } from '#app/engine/control/evidence-grants.ts';
import { type PackScope, readDefaultSeed, readPackScope } from '#app/engine/packs/pack-scope.ts';
import { summarisePack } from '#app/engine/packs/summarise.ts';
import { readQuestion } from '#app/features/audit/packs/pack-question.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';

type Context = Readonly<RouterContextProvider>;
const DAY_MS = 86_400_000;

/** The question of the address, with the seed that applies, and the bounds of its pack; null where nothing, or something wrong, is asked. */
export async function readAsked(context: Context, url: URL) {
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'exportEvidence');
  const at = context.get(servicesContext).now();
  const { laws } = await loadLaws();
  const asked = readQuestion(url.searchParams, { today: at.toISOString().slice(0, 10), known: laws.map(({ id }) => id) });
  const isUsable = asked.wrong.length === 0;
  const workspace = { id: member.workspace.id, name: member.workspace.name };
  const found = await read(async (db): Promise<{ seed: string; scope: PackScope | null }> => {
    const until = new Date(isUsable ? Date.parse(`${asked.typed.until}T00:00:00Z`) + DAY_MS : at);
    const seed = asked.typed.seed === '' ? await readDefaultSeed(db, workspace.id, until) : asked.typed.seed;
    const scope = asked.isAsked && isUsable ? await readPackScope(db, { question: { ...asked.typed, seed }, workspace, at }) : null;
    return { seed, scope };
  });
  return { ...asked, typed: { ...asked.typed, seed: found.seed }, scope: found.scope, laws };
}

/** The form, and the pack that it asks for as a page to print. 400 where the question cannot be used. */
export async function loadPack({ url, context }: { url: URL; context: Context }) {
  const { typed, wrong, scope, laws } = await readAsked(context, url);
  const { read, member } = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  const exported = scope === null ? null : ({ kind: 'pack', ...scope.question } as const);
  const words = await loadLawWords(getLanguage(context));
  const pack = scope === null ? null : shownPack(scope, await summarisePack(read, scope), laws.map(words.law));
  return data(
    {
      typed,
      wrong,
      frameworks: laws.map(words.law).map(({ id, name }) => ({ id, name })),
      sampleSize: PACK_SAMPLE,
      workspace: shownWorkspaceName(context),
      pack: pack === null ? null : inReadersLanguage(context, pack),
      /** How far this reader is with taking the files out. */
      leaving: exported === null ? null : (await read((db) => readExportState(db, member.userId, exported))).state,
      key: vkey(engine.signer.name, engine.signer.publicKey, sha256),
    },
    { status: wrong.length === 0 ? 200 : 400 },
  );
}
export type LoadedPack = Awaited<ReturnType<typeof loadPack>>['data'];

/** `laws`: in the reader's language. The files of the pack keep the words of the list. */
function shownPack(scope: PackScope, { records, digest, controls }: Awaited<ReturnType<typeof summarisePack>>, laws: Catalogue['laws']) {
  const { question, at, size, until } = scope;
  const said = laws.find(({ id }) => id === question.framework);
  const law = said === undefined ? scope.law : { ...scope.law, name: said.name, citation: said.citation };
  return {
    ...{ law, question, digest, logSize: size, recordCount: records, at: at.toISOString() },
    /** The period is not over, and a later pack of it may hold more. */
    isOpen: until.getTime() === at.getTime(),
    assessments: scope.assessments.map(({ id, agent, name, number, by, at: saved, answers }) => ({
      ...{ id, agent, name, number, by, at: saved.toISOString(), answered: answeredOf(answers) },
    })),
    controls: controls.map((control) => {
      const { owners = [], attested = null } = scope.controls.find(({ id }) => id === control.id) ?? {};
      const provision = said?.controls.find((one) => one.control === control.id)?.provision ?? '';
      return { ...control, provision, owners, attested };
    }),
  };
}
export type ShownPack = ReturnType<typeof shownPack>;
export type ShownControl = ShownPack['controls'][number];
