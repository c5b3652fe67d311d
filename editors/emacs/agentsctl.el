;;; agentsctl.el --- Read the concise lines of agentsctl in compilation mode -*- lexical-binding: t; -*-

;;; Commentary:
;; (require 'agentsctl), then M-x compile RET agentsctl lint --format concise RET

;;; Code:

(require 'compile)

(defvar agentsctl-error-regexp
  '(agentsctl
    "^\\(.+?\\):\\([0-9]+\\):\\([0-9]+\\): \\(?:error\\|\\(warning\\)\\|\\(info\\|hint\\)\\)\\[\\([a-z0-9-]+\\)\\] "
    1 2 3 (4 . 5))
  "How `compilation-mode' reads a finding.")

(add-to-list 'compilation-error-regexp-alist 'agentsctl)
(add-to-list 'compilation-error-regexp-alist-alist agentsctl-error-regexp)

(provide 'agentsctl)
;;; agentsctl.el ends here
