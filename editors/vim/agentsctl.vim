" A compiler for :make. Put it into compiler/ of your runtime path, then:  :compiler agentsctl  and  :make
if exists("current_compiler")
  finish
endif
let current_compiler = "agentsctl"
CompilerSet makeprg=agentsctl\ lint\ --format\ concise
CompilerSet errorformat=%f:%l:%c:\ %t%*[a-z]%m
