import type { FakeHostOptions } from '@anniversary/shared/testing/fake-host'

export const scenarios: Record<string, FakeHostOptions> = {
  'Trang mẫu': {},
  // 192.0.2.0/24 is reserved for documentation (RFC 5737): nothing answers
  // there.
  'Trang không phản hồi': { config: { megaliveUrl: 'https://192.0.2.1/' } },
  'Máy chủ không tồn tại': { config: { megaliveUrl: 'https://khong-ton-tai.invalid/' } },
  'Địa chỉ không hợp lệ': { config: { megaliveUrl: 'javascript:alert(1)' } },
}
