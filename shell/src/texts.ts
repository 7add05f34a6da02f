import event from '@anniversary/shared/campaign/texts.json'
import { paths } from '@anniversary/shared/contract/paths'

/**
 * Exact where the specification has them. Chunks that load later have their
 * own.
 */
export const shellTexts = {
  siteName: event.name,
  loading: 'Đang tải…',
  retry: 'Thử lại',
  trace: (id: string) => `Mã hỗ trợ: ${id}`,
  /**
   * @param path of the page that the member leaves (specification, section 8)
   */
  sessionExpired: (path: string) =>
    path === paths.home
      ? 'Phiên đăng nhập đã hết hạn. Vui lòng xác minh tại tài khoản để tiếp tục!'
      : 'Phiên đăng nhập đã hết hạn. Vui lòng đăng nhập lại để tiếp tục!',
  loggedOut: 'Bạn đã đăng xuất.',
  rules: {
    loading: 'Đang tải thể lệ…',
    unavailable: 'Không thể tải thể lệ. Vui lòng thử lại!',
  },
  offline: {
    text: 'Không có kết nối mạng. Thông tin có thể chưa được cập nhật.',
    still: 'Vẫn chưa có kết nối mạng.',
    back: 'Đã có mạng trở lại.',
  },
  busy: {
    text: 'Đang có rất nhiều người truy cập. Bạn cứ chờ nhé, thông tin đã nhập vẫn được giữ.',
    again: (seconds: number) => `Trang sẽ tự thử lại sau ${seconds} giây.`,
    now: 'Trang đang thử lại.',
  },
  crash: {
    text: 'Đã có lỗi. Vui lòng tải lại trang.',
    reload: 'Tải lại trang',
  },
  remote: {
    failedTitle: 'Không thể tải phần này',
    failedText: 'Kết nối có thể bị gián đoạn. Phần còn lại của trang vẫn dùng được bình thường.',
    replacedText: 'Trang đã có phiên bản mới. Hãy tải lại để tiếp tục.',
    offTitle: 'Tạm ngưng phục vụ',
    offText: 'Phần này đang được bảo trì. Vui lòng quay lại sau.',
  },
  newVersion: {
    text: 'Đã có phiên bản mới của trang.',
    reload: 'Tải lại',
  },
  layout: {
    skip: 'Đến nội dung chính',
    logo: event.logo,
  },
  toasts: {
    region: 'Thông báo',
    close: 'Đóng thông báo',
    kinds: { success: 'Thành công', info: 'Thông tin', warning: 'Cảnh báo', error: 'Lỗi' },
  },
}
