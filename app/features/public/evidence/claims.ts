/**
 * All figures that the public site claims; the wording is in the namespace `landing`, below `claims`. Customer counts and certificates are
 * changed here and nowhere else.
 */

import type { Plan } from '#app/contracts/people.ts';
import { PLANS } from '#app/domain/people/plans.ts';

/** Pages that a claim or a button leads to. */
const EVIDENCE_PAGE = '/evidence';
export const DOCUMENTATION_PAGE = '/docs';
export const PRICING_PAGE = '/pricing';

/** `english` is the figure as written in English; other languages format `value` themselves. */
export type Figure = { value: number; kind: 'count' | 'more' | 'share'; english: string };

export const FIGURES = {
  teams: { value: 1_200, kind: 'more', english: '1,200+' },
  enterpriseCustomers: { value: 500, kind: 'more', english: '500+' },
  users: { value: 500_000, kind: 'more', english: '500K+' },
  uptimeSla: { value: 0.999, kind: 'share', english: '99.9%' },
  uptime: { value: 0.9999, kind: 'share', english: '99.99%' },
  setup: { value: 5, kind: 'count', english: '5' },
  deployment: { value: 5, kind: 'count', english: '5' },
  fasterCompliance: { value: 0.7, kind: 'share', english: '70%' },
  efficiencyGain: { value: 0.73, kind: 'share', english: '73%' },
  freeTrial: { value: 30, kind: 'count', english: '30' },
  regulations: { value: 50, kind: 'more', english: '50+' },
  routing: { value: 100, kind: 'count', english: '100' },
  concurrentAgents: { value: 1_000, kind: 'more', english: '1000+' },
  tasksPerMinute: { value: 10_000, kind: 'more', english: '10k+' },
  reliability: { value: 0.9999, kind: 'share', english: '99.99%' },
  latency: { value: 500, kind: 'count', english: '500' },
  connectors: { value: 50, kind: 'more', english: '50+' },
} as const satisfies Record<string, Figure>;

/** Claims that are words alone. */
const WORDS = [
  'soc2',
  'gdpr',
  'hipaa',
  'iso27001',
  'noLockIn',
  'support',
  'enterpriseSupport',
  'encryption',
  'humanInTheLoop',
  'multiAgent',
  'hybrid',
] as const;

export type ClaimKey = keyof typeof FIGURES | (typeof WORDS)[number];

/** Claims that are measured: each leads to the evidence page. */
const MEASURED: ReadonlySet<ClaimKey> = new Set<ClaimKey>(['routing', 'concurrentAgents', 'tasksPerMinute', 'reliability', 'latency']);

/** Where the claim is proved, or null. */
export function evidenceOf(claim: ClaimKey): string | null {
  return MEASURED.has(claim) ? EVIDENCE_PAGE : null;
}

export const HERO_BADGES = ['soc2', 'gdpr', 'hipaa', 'iso27001'] as const satisfies readonly ClaimKey[];
export const HERO_TICKS = ['setup', 'humanInTheLoop', 'noLockIn', 'uptimeSla', 'freeTrial', 'teams'] as const satisfies readonly ClaimKey[];
export const VALUE_CLAIMS = ['efficiencyGain', 'fasterCompliance', 'uptime', 'deployment'] as const satisfies readonly ClaimKey[];
export const TRUST_CLAIMS = [
  'soc2',
  'gdpr',
  'hipaa',
  'iso27001',
  'enterpriseCustomers',
  'users',
  'uptimeSla',
  'support',
  'enterpriseSupport',
] as const satisfies readonly ClaimKey[];

/** The six technical highlights, in their order. `stack` is named alike in every language. */
export const HIGHLIGHTS = [
  { key: 'engine', claims: ['routing', 'tasksPerMinute', 'hybrid'], stack: ['MCP 2026-07-28', 'A2A 1.0', 'JSON-RPC', 'REST'] },
  { key: 'explainable', claims: ['reliability'], stack: ['RFC 9162', 'Ed25519', 'SHA-256', 'RFC 8785'] },
  { key: 'copilot', claims: ['regulations', 'fasterCompliance'], stack: ['Cedar', 'A2A 1.0', 'ISO 8601'] },
  { key: 'marketplace', claims: ['connectors', 'noLockIn'], stack: ['JSON Schema', 'MCP', 'OpenAPI'] },
  { key: 'orchestration', claims: ['concurrentAgents', 'latency', 'multiAgent'], stack: ['PostgreSQL 17', 'LISTEN/NOTIFY', 'JSONata'] },
  { key: 'zeroTrust', claims: ['encryption', 'humanInTheLoop'], stack: ['AES-256-GCM', 'HKDF', 'RLS', 'CSP'] },
] as const satisfies readonly { key: string; claims: readonly ClaimKey[]; stack: readonly string[] }[];

/** `id` is the anchor that the footer of every page links to. */
export const INDUSTRIES = [
  { key: 'financialServices', id: 'financial-services' },
  { key: 'healthcare', id: 'healthcare' },
  { key: 'legal', id: 'legal-compliance' },
  { key: 'manufacturing', id: 'manufacturing' },
  { key: 'government', id: 'government' },
] as const;

/** The carousel shows five; the sixth appears in the extended list only. */
export const INTEGRATIONS = [
  { id: 'process', category: 'BPM' },
  { id: 'service', category: 'Enterprise' },
  { id: 'backend', category: 'Backend' },
  { id: 'models', category: 'AI/ML' },
  { id: 'framework', category: 'AI Framework' },
] as const;
export const FURTHER_INTEGRATIONS = [{ id: 'automation', category: 'Automation' }] as const;

/** Shares as ratios, `timeSaved` in hours a month. Efficiency gains average to the figure claimed above. */
export const TESTIMONIALS = [
  {
    id: 'bank',
    author: 'Mara Lindt',
    company: 'Nordhafen Bank',
    results: { efficiencyGain: 0.78, costReduction: 0.41, timeSaved: 320, complianceScore: 0.98 },
  },
  {
    id: 'hospital',
    author: 'Amal Haddad',
    company: 'St. Brigid Hospital Group',
    results: { efficiencyGain: 0.71, costReduction: 0.36, timeSaved: 210, complianceScore: 0.99 },
  },
  {
    id: 'ministry',
    author: 'Jonas Weil',
    company: 'Canton of Aarfeld',
    results: { efficiencyGain: 0.7, costReduction: 0.33, timeSaved: 180, complianceScore: 0.97 },
  },
] as const;
export const TESTIMONIAL_IMAGE = '/api/placeholder/64/64';

/** Prices in US dollars a month; null: agreed with us. Limits are those that the product enforces. */
export const PRICED_PLANS = [
  { plan: 'starter', price: 99, limits: PLANS.starter, popular: false },
  { plan: 'professional', price: 299, limits: PLANS.professional, popular: true },
  { plan: 'enterprise', price: null, limits: PLANS.enterprise, popular: false },
] as const satisfies readonly { plan: Plan; price: number | null; limits: unknown; popular: boolean }[];
