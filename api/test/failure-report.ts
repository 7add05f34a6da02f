import type { Report, Visit } from '@anniversary/shared/contract/report'

export const failureReport: Report = {
  'event.name': 'remote.failure',
  'remote.name': 'mf-auth',
  'remote.version': '1.0.0-0123456789ab',
  'remote.phase': 'integrity',
  'remote.next': 'other-version',
  'composition.number': 3,
  'exception.message': 'not the published content: /mf-auth/1.0.0-0123456789ab/entry.js',
  'url.path': '/login',
}

export const visitReport = {
  'event.name': 'page.visit',
  'composition.number': 3,
  views: [{ remote: 'mf-auth', version: '1.0.0-0123456789ab', threw: true }],
} satisfies Visit

export const cspReport = {
  type: 'csp-violation',
  age: 12,
  url: 'https://event.example/login?from=mail',
  body: {
    effectiveDirective: 'img-src',
    blockedURL: 'https://ads.example/pixel.gif?member=an01',
    sourceFile: null,
  },
}
