/**
 * Control changes as they ought to be, without a database: what each command does, and whether it may, said a second time and in other
 * words than the functions in SQL. Times are hours.
 */
export type Role = 'user' | 'builder' | 'approver' | 'auditor' | 'admin';
export type Kind = 'policy_pause' | 'policy_activate' | 'member_roles' | 'workspace_settings';
export type Change = {
  id: string;
  kind: Kind;
  resource: string;
  /** Of a policy its status, of a member their roles, sorted, of the workspace whether effects are reviewed. */
  before: string;
  after: string;
  by: string;
  status: 'pending' | 'emergency' | 'approved' | 'rejected' | 'withdrawn' | 'expired';
  due: number;
  decided: number | null;
  glass: { by: string; start: number; ends: number; ended: number | null } | null;
};
type Term = { user: string; until: number | null; role: Role };

const WEEK = 7 * 24;
export const rolesIn = (text: string) => text.split(' ').filter((role): role is Role => role !== '');
export const textOf = (roles: readonly string[]) => [...roles].sort().join(' ');
const gained = ({ before, after }: Change) => rolesIn(after).filter((role) => !rolesIn(before).includes(role));

export class ControlModel {
  now = 0;
  policy = 'active';
  reviews = 'true';
  readonly changes = new Map<string, Change>();
  private readonly terms: Term[] = [];

  readonly ids: { policy: string; workspace: string };
  readonly members: Map<string, string>;

  constructor(ids: { policy: string; workspace: string }, members: Map<string, string>) {
    this.ids = ids;
    this.members = members;
    for (const [user, roles] of members) this.keepTerms(user, '', roles);
  }

  stateOf(resource: string): string | null {
    if (resource === this.ids.policy) return this.policy;
    if (resource === this.ids.workspace) return this.reviews;
    return this.members.get(resource) ?? null;
  }

  /** False, and nothing changes, where the workspace would have no admin. */
  setRoles(user: string, roles: string | null): boolean {
    const before = this.members.get(user) ?? '';
    const others = [...this.members].some(([other, text]) => other !== user && rolesIn(text).includes('admin'));
    if (rolesIn(before).includes('admin') && !rolesIn(roles ?? '').includes('admin') && !others) return false;
    if (roles === null) this.members.delete(user);
    else this.members.set(user, roles);
    this.keepTerms(user, before, roles ?? '');
    return true;
  }

  private keepTerms(user: string, before: string, after: string): void {
    for (const role of ['admin', 'approver'] as const) {
      const [had, has] = [rolesIn(before).includes(role), rolesIn(after).includes(role)];
      if (has && !had) this.terms.push({ user, role, until: null });
      if (had && !has) for (const term of this.terms) if (term.user === user && term.role === role) term.until ??= this.now;
    }
  }

  /** Whether anybody but these could agree, now or in the last seven days. */
  secondPerson(first: string, subject?: string): boolean {
    return this.terms.some(({ user, until }) => user !== first && user !== subject && (until === null || until > this.now - WEEK));
  }

  /** The roles of a member but those that break-glass gave for now. */
  lasting(user: string): Role[] {
    const borrowed = [...this.changes.values()]
      .filter(({ kind, resource, glass }) => kind === 'member_roles' && resource === user && glass !== null && glass.ended === null)
      .flatMap(gained);
    return rolesIn(this.members.get(user) ?? '').filter((role) => !borrowed.includes(role));
  }

  private put({ kind, resource }: Change, state: string): boolean {
    if (kind === 'member_roles') return this.members.has(resource) && this.setRoles(resource, state);
    if (kind === 'workspace_settings') this.reviews = state;
    else this.policy = state;
    return true;
  }

  ask(change: Omit<Change, 'status' | 'due' | 'decided' | 'glass'>): boolean {
    const waits = [...this.changes.values()].some(({ resource, status }) => resource === change.resource && status === 'pending');
    if (waits || !this.lasting(change.by).includes('admin') || this.stateOf(change.resource) !== change.before) return false;
    this.changes.set(change.id, { ...change, status: 'pending', due: this.now + WEEK, decided: null, glass: null });
    return true;
  }

  /** Whether who asked still may, and all is as it was asked about. */
  private stands(change: Change, state: string): boolean {
    return this.lasting(change.by).includes('admin') && this.stateOf(change.resource) === state;
  }

  vote(change: Change, by: string, approve: boolean, honest: boolean): boolean {
    const { glass } = change;
    if (change.status !== 'pending' && change.status !== 'emergency') return false;
    if ((glass?.ends ?? change.due) <= this.now || by === change.by || by === glass?.by) return false;
    if (change.kind === 'member_roles' && change.resource === by && gained(change).length > 0) return false;
    if (!honest || !this.lasting(by).some((role) => role === 'admin' || role === 'approver')) return false;
    if (glass !== null) {
      if (approve && !this.stands(change, change.after)) return false;
      this.endGlass(change, approve ? 'approved' : 'rejected');
      return true;
    }
    if (approve && !(this.stands(change, change.before) && this.put(change, change.after))) return false;
    this.close(change, approve ? 'approved' : 'rejected');
    return true;
  }

  breakGlass(change: Change, by: string, hours: number, honest: boolean): boolean {
    if (change.status !== 'pending' || change.due <= this.now || change.kind === 'workspace_settings') return false;
    const again = [...this.changes.values()].some(
      ({ resource, glass }) => resource === change.resource && glass !== null && (glass.ended ?? this.now) > this.now - WEEK,
    );
    if (again || !honest || hours < 1 || hours > 24 || !this.lasting(by).includes('admin')) return false;
    if (!this.stands(change, change.before) || !this.put(change, change.after)) return false;
    change.status = 'emergency';
    change.glass = { by, start: this.now, ends: this.now + hours, ended: null };
    return true;
  }

  withdraw(change: Change, by: string): boolean {
    if (by !== change.by && by !== change.glass?.by) return false;
    if (change.status === 'emergency') this.endGlass(change, 'withdrawn');
    else if (change.status === 'pending') this.close(change, 'withdrawn');
    else return false;
    return true;
  }

  sweep(): void {
    for (const change of this.changes.values()) {
      if (change.status === 'pending' && change.due <= this.now) this.close(change, 'expired');
      if (change.status === 'emergency' && change.glass !== null && change.glass.ends <= this.now) this.endGlass(change, 'expired');
    }
  }

  /** Nothing about a member who goes waits any longer. */
  leave(user: string): boolean {
    if (!this.setRoles(user, null)) return false;
    for (const change of this.changes.values())
      if (change.resource === user && change.status === 'pending') this.close(change, 'withdrawn');
    return true;
  }

  private close(change: Change, status: Change['status']): void {
    change.status = status;
    change.decided = this.now;
  }

  private endGlass(change: Change, status: Change['status']): void {
    const { glass } = change;
    if (glass === null) return;
    const agreed = [...this.changes.values()].some(
      (other) => other.resource === change.resource && other.status === 'approved' && (other.decided ?? -1) >= glass.start,
    );
    if (status !== 'approved' && !agreed) this.undo(change);
    glass.ended = this.now;
    this.close(change, status);
  }

  private undo(change: Change): void {
    const is = this.stateOf(change.resource);
    if (is === null) return;
    if (change.kind !== 'member_roles') {
      if (is === change.after) this.put(change, change.before);
      return;
    }
    const [before, after] = [rolesIn(change.before), rolesIn(change.after)];
    const kept = rolesIn(is).filter((role) => before.includes(role) || !after.includes(role));
    const back = before.filter((role) => !after.includes(role));
    this.put(change, textOf([...new Set([...kept, ...back])]));
  }
}
