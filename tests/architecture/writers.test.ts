import { describe, expect, it } from 'vitest';
import { sourceFiles } from '#tests/architecture/source-files.ts';

// Features and routes parse, perform a command and present. What changes the database is a command of app/engine/commands, so that every
// door does the same under the same permission and with the same event.

/** Functions of the database that only read. Every other one is called by a command. */
const READING = new Set([
  'asked_of',
  'count_monitored',
  'count_policy_decisions',
  'count_violations',
  'current_workspace_id',
  'decider_refusal_here',
  'desk_mark',
  'excerpt_of',
  'export_own_data',
  'has_second_factor',
  'holder_here',
  'is_provisioned',
  'lacks_factor',
  'list_caught_mails',
  'list_ending_keys',
  'list_own_farewells',
  'list_own_sessions',
  'list_pass_receivers',
  'may_ask_back',
  'my_approval_refusal',
  'my_assign_refusal',
  'my_break_glass_refusal',
  'my_control_refusal',
  'my_human_task_refusal',
  'my_pass_refusal',
  'owes_second_factor',
  'peek_invitation',
  'question_of',
  'read_member_security',
  'run_of_notice',
  'runs_instance',
  'search_candidates',
  'second_person_agrees',
]);

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/[^\n]*/g, '$1');

function writesDatabase(text: string): boolean {
  const code = withoutComments(text);
  const builds = /\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(/.test(code);
  const states = /\b(?:insert\s+into|delete\s+from|update\s+quorate\.\w+\s+set)\b/i.test(code);
  const opensChange = /\.change[(<]|\bchange\b\s*[,}(]/.test(code);
  const calls = [...code.matchAll(/\bquorate\.(\w+)\(/g)].some(([, name = '']) => !READING.has(name));
  return builds || states || opensChange || calls;
}

const presenting = sourceFiles('app').filter(
  ({ path }) => /^app\/(?:features|routes)\//.test(path) && (path.endsWith('.server.ts') || path.startsWith('app/routes/')),
);

describe('features and routes', () => {
  it('write to the database through commands alone', () => {
    expect(presenting.filter(({ text }) => writesDatabase(text)).map(({ path }) => path)).toEqual([]);
  });

  it('are seen writing in every form', () => {
    for (const text of [
      "await db.updateTable('quorate.members').set({ roles })",
      'await access.change(async (db) => done(db))',
      'const { member, change } = context.get(memberContext);',
      "sql`insert into quorate.members values ('x')`",
      "sql`select quorate.rename_self('x')`",
    ])
      expect(writesDatabase(text), text).toBe(true);
    expect(writesDatabase('sql`select quorate.runs_instance()` // .change(')).toBe(false);
  });
});
