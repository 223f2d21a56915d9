/** The controls of a workspace, each computed from its real data. The words are in the namespace `compliance`. */
export const CONTROLS = [
  'policies',
  'oversight',
  'separation',
  'personalData',
  'explained',
  'log',
  'checkpointsLeave',
  'definitions',
  'thirdParties',
  'operation',
  'incidents',
  'stop',
  'keys',
] as const;
export type ControlId = (typeof CONTROLS)[number];
export type ControlStatus = 'compliant' | 'nonCompliant' | 'underReview';

/** Where the evidence of a control is looked at. */
export const EVIDENCE: Record<ControlId, string> = {
  policies: '/dashboard/policies',
  oversight: '/dashboard/approvals',
  separation: '/dashboard/admin/members',
  personalData: '/dashboard/policies',
  explained: '/dashboard/ai-reasoning',
  log: '/dashboard/audit',
  checkpointsLeave: '/dashboard/audit/checkpoints',
  definitions: '/dashboard/plugins',
  thirdParties: '/dashboard/plugins',
  operation: '/dashboard/admin/health',
  incidents: '/dashboard/policies',
  stop: '/dashboard/admin/halt',
  keys: '/dashboard/account/api-keys',
};

/** EU, UK, US, US-CA …; INTL is what no state made. */
export const REGIONS = [
  'INTL',
  'EU',
  'UK',
  'CH',
  'US',
  'US-CA',
  'US-CO',
  'US-NY',
  'CA',
  'BR',
  'AU',
  'SG',
  'JP',
  'IN',
  'CN',
  'SA',
  'IL',
  'ZA',
] as const;
export type Region = (typeof REGIONS)[number];
export const SECTORS = ['finance', 'health', 'public', 'legal', 'industry', 'digital', 'education'] as const;
export type Sector = (typeof SECTORS)[number];
