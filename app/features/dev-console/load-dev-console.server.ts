import { sql } from 'kysely';
import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { resendDelivery } from '#app/engine/commands/operator/resend-delivery.ts';
import { listServedWorkflows } from '#app/engine/serving/served-workflows.ts';
import { nameTools, RESERVED_TOOLS } from '#app/engine/serving/tool-names.ts';
import { performAsMember } from '#app/perform.server.ts';

const PAGE_SIZE = 20;
const SHOWN_KEYS = 20;
const SHOWN_WORKFLOWS = 20;

export type WebhookRow = {
  id: string;
  /** Its origin alone, because a path may be a secret. */
  target: string;
  status: 'pending' | 'success' | 'failed';
  attempts: number;
  createdAt: string;
  nextAttemptAt: string | null;
  lastError: string | null;
};

/** Addresses for programs, recent webhooks (for members who may see them), and one's own keys that still work. */
export async function loadDevConsole({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const { origin, now } = context.get(servicesContext);
  const sends = member.roles.includes('builder') || member.roles.includes('admin');
  const sees = sends || member.roles.includes('auditor');
  const before = z.uuid().safeParse(url.searchParams.get('before')).data;
  const found = await read(async (db) => {
    let webhooks = db
      .selectFrom('quorate.deliveries as d')
      .where('d.workspace_id', '=', member.workspace.id)
      .where('d.kind', '=', 'webhook');
    if (before !== undefined)
      webhooks = webhooks.where(
        sql<boolean>`(d.created_at, d.id) < (select b.created_at, b.id from quorate.deliveries b where b.id = ${before}::uuid)`,
      );
    return {
      workflows: await listServedWorkflows(db, member.workspace.id),
      webhooks: sees
        ? await webhooks
            .orderBy('d.created_at', 'desc')
            .orderBy('d.id', 'desc')
            .limit(PAGE_SIZE + 1)
            .select(['d.id', 'd.target', 'd.status', 'd.attempts', 'd.created_at', 'd.next_attempt_at', 'd.last_error'])
            .execute()
        : [],
      keys: await db
        .selectFrom('quorate.api_keys')
        .where('workspace_id', '=', member.workspace.id)
        .where('user_id', '=', member.userId)
        .where('revoked_at', 'is', null)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now())]))
        .orderBy('created_at', 'desc')
        .limit(SHOWN_KEYS)
        .select(['id', 'name', 'prefix', 'scopes', 'last_used_at'])
        .execute(),
    };
  });
  const page = found.webhooks.slice(0, PAGE_SIZE);
  return {
    addresses: { api: `${origin}/api/v1`, mcp: `${origin}/mcp/${member.workspace.slug}`, a2a: `${origin}/a2a` },
    served: [...nameTools(found.workflows, RESERVED_TOOLS)].slice(0, SHOWN_WORKFLOWS).map(([tool, { id, name }]) => ({
      ...{ id, name, tool },
      card: `${origin}/a2a/${member.workspace.slug}/${id}/.well-known/agent-card.json`,
    })),
    inspects: can(member.roles, 'authorWorkflow'),
    sends,
    sees,
    paged: before !== undefined,
    next: found.webhooks.length > PAGE_SIZE ? (page.at(-1)?.id ?? null) : null,
    webhooks: page.map(
      (row): WebhookRow => ({
        id: row.id,
        target: URL.canParse(row.target) ? new URL(row.target).origin : '',
        status: row.status,
        attempts: row.attempts,
        createdAt: row.created_at.toISOString(),
        nextAttemptAt: row.status === 'pending' ? row.next_attempt_at.toISOString() : null,
        lastError: row.last_error,
      }),
    ),
    keys: found.keys.map((key) => ({
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      scopes: key.scopes,
      lastUsedAt: key.last_used_at?.toISOString() ?? null,
    })),
  };
}
export type LoadedDevConsole = Awaited<ReturnType<typeof loadDevConsole>>;

/** Puts one webhook at the front of the queue again. */
export async function resendAction({ request, context }: { request: Request; context: Readonly<RouterContextProvider> }) {
  const { member } = context.get(memberContext);
  if (!member.roles.includes('builder') && !member.roles.includes('admin')) throw data({ code: 'forbidden' }, { status: 403 });
  const id = z.uuid().safeParse((await request.formData()).get('delivery')).data;
  if (id === undefined) throw data({ code: 'invalid_input' }, { status: 400 });
  await performAsMember(context, resendDelivery, { delivery: id });
  return redirectWithNotice(href('/dashboard/dev-console'), 'deliverySentAgain');
}
