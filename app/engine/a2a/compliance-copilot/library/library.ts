import {
  AI_ACT,
  CRA,
  EIDAS,
  EPRIVACY,
  EU_MDR,
  NIS2,
  PUBLIC_ACCESS,
  WHISTLEBLOWING,
} from '#app/engine/a2a/compliance-copilot/library/eu-digital.ts';
import { AMLD, DORA, MAR, MIFID2, PSD2 } from '#app/engine/a2a/compliance-copilot/library/eu-finance.ts';
import { GDPR } from '#app/engine/a2a/compliance-copilot/library/gdpr.ts';
import { BCBS_239, ISO_27001, PCI_DSS, SOC2 } from '#app/engine/a2a/compliance-copilot/library/standards.ts';
import { FCA, LGPD, UK_FOIA, UK_GDPR } from '#app/engine/a2a/compliance-copilot/library/uk-and-brazil.ts';
import { BSA, ECOA, FCRA, FINRA, GLBA, OFAC, SEC_17A4, SOX } from '#app/engine/a2a/compliance-copilot/library/us-finance.ts';
import { CCPA, COPPA, FERPA, HIPAA } from '#app/engine/a2a/compliance-copilot/library/us-privacy.ts';
import { FEDERAL_RECORDS, FOIA, PART_11 } from '#app/engine/a2a/compliance-copilot/library/us-public.ts';
import type { Regulation } from '#app/engine/a2a/compliance-copilot/regulation.ts';

/** What the Compliance Copilot knows. The version rises with every change of a duty or a rule. */
export const LIBRARY_VERSION = '1.0.0';
export const LIBRARY: readonly Regulation[] = [
  GDPR,
  AI_ACT,
  DORA,
  NIS2,
  CRA,
  EIDAS,
  EPRIVACY,
  MIFID2,
  AMLD,
  PSD2,
  MAR,
  EU_MDR,
  WHISTLEBLOWING,
  PUBLIC_ACCESS,
  UK_GDPR,
  FCA,
  UK_FOIA,
  HIPAA,
  SOX,
  GLBA,
  FINRA,
  SEC_17A4,
  BSA,
  OFAC,
  ECOA,
  FCRA,
  PART_11,
  FOIA,
  FEDERAL_RECORDS,
  COPPA,
  FERPA,
  CCPA,
  LGPD,
  PCI_DSS,
  ISO_27001,
  SOC2,
  BCBS_239,
];
